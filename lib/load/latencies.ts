import { build } from 'hdr-histogram-js';
import type { Latency } from '../evidence/record/request-counts.js';
import type { Threshold } from './thresholds.js';

/** Ten minutes in microseconds: longer than any deadline. */
const longest = 600_000_000;

/** Latencies in an HDR histogram of microseconds, and how many are above the bounds of thresholds. */
export class Latencies {
  /** Three significant digits from 1 µs to ten minutes. */
  readonly #histogram = build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: longest,
    numberOfSignificantValueDigits: 3,
  });
  readonly #slower = new Map<Threshold, number>();
  readonly #thresholds: readonly Threshold[];

  constructor(thresholds: readonly Threshold[] = []) {
    this.#thresholds = thresholds;
  }

  add(milliseconds: number): void {
    this.#histogram.recordValue(Math.min(longest, Math.max(1, Math.round(milliseconds * 1000))));
    for (const threshold of this.#thresholds)
      if (milliseconds > threshold.bound) this.#slower.set(threshold, this.slower(threshold) + 1);
  }

  readonly slower = (threshold: Threshold): number => this.#slower.get(threshold) ?? 0;

  /** In milliseconds; 0 without any. A percentile is the upper end of its bucket, which may lie above the longest. */
  percentile(percentile: number): number {
    return Math.min(this.#histogram.getValueAtPercentile(percentile), this.#histogram.maxValue) / 1000;
  }

  /** Undefined without any. It takes half a millisecond. */
  get latency(): Latency | undefined {
    const { totalCount, minNonZeroValue, maxValue, mean } = this.#histogram;
    if (totalCount === 0) return undefined;
    return {
      min: minNonZeroValue / 1000,
      p50: this.percentile(50),
      p90: this.percentile(90),
      p99: this.percentile(99),
      p999: this.percentile(99.9),
      max: maxValue / 1000,
      mean: Math.round(mean) / 1000,
    };
  }
}
