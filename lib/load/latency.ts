import type { Latency } from '../evidence/record/request-counts.js';

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
