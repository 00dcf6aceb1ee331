import type { Latency } from '../evidence/record/request-counts.js';
import { build, type Histogram } from 'hdr-histogram-js';

/** The percentiles of latencies in milliseconds, to the microsecond; at least one has to be given. */
export function latencyOf(milliseconds: readonly number[]): Latency {
  const sorted = milliseconds.map((one) => Math.max(1, Math.round(one * 1_000))).toSorted((a, b) => a - b);
  // The nearest rank: the smallest that so many are not greater than.
  const at = (perMille: number): number =>
    (sorted[Math.max(0, Math.ceil((perMille * sorted.length) / 1_000) - 1)] ?? 0) / 1_000;
  const sum = sorted.reduce((total, one) => total + one, 0);
  return {
    min: at(0),
    p50: at(500),
    p90: at(900),
    p99: at(990),
    p999: at(999),
    max: at(1_000),
    mean: Math.round(sum / sorted.length) / 1_000,
  };
}

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
