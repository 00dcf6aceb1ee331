import { build, type Histogram } from 'hdr-histogram-js';
import type { Latency } from '../evidence/record/request-counts.js';

/** Ten minutes in microseconds: longer than any deadline. */
const longest = 600_000_000;

/** An empty HDR histogram of microseconds: three significant digits from 1 µs to ten minutes. */
export function latencyHistogram(): Histogram {
  return build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: longest,
    numberOfSignificantValueDigits: 3,
  });
}

/** Records one latency given in milliseconds. */
export function recordLatency(histogram: Histogram, milliseconds: number): void {
  histogram.recordValue(Math.min(longest, Math.max(1, Math.round(milliseconds * 1000))));
}

/** The percentiles of a histogram of microseconds, in milliseconds. */
export function summarize(histogram: Histogram): Latency {
  // A percentile is the upper end of its bucket, which may lie above the longest that was recorded.
  const at = (percentile: number): number =>
    Math.min(histogram.getValueAtPercentile(percentile), histogram.maxValue) / 1000;
  return {
    min: histogram.minNonZeroValue / 1000,
    p50: at(50),
    p90: at(90),
    p99: at(99),
    p999: at(99.9),
    max: histogram.maxValue / 1000,
    mean: Math.round(histogram.mean) / 1000,
  };
}
