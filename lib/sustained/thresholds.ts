import type { LoadMeasurement } from '../record/record.js';
import { durationOf } from '../usage/duration.js';

export const thresholdNames = ['p50', 'p90', 'p99', 'p999', 'max', 'errors', 'refused', 'goodput'] as const;
export type ThresholdName = (typeof thresholdNames)[number];

/** A bound that a load must keep. */
export interface Threshold {
  readonly name: ThresholdName;
  /** As it was typed. */
  readonly text: string;
  /** Milliseconds for a percentile; a number of requests, or a share of those sent; requests a second for goodput. */
  readonly bound: number;
}

function kindOf(name: ThresholdName): 'latency' | 'count' | 'goodput' {
  if (name === 'goodput') return name;
  return name === 'errors' || name === 'refused' ? 'count' : 'latency';
}

/** What a threshold must be, for a message. */
export function expectedThreshold(name: ThresholdName): string {
  return {
    latency: 'a time (250ms, 1.5s)',
    count: 'a number of requests or a share (0, 0.1%)',
    goodput: 'requests per second (9.5/s)',
  }[kindOf(name)];
}

/** Reads `250ms` for a percentile, `0` or `0.1%` for a count, `9.5/s` for goodput; undefined for other texts. */
export function thresholdOf(name: ThresholdName, text: string): Threshold | undefined {
  const pattern = { latency: /./, count: /^(\d+|\d+(\.\d+)?%)$/, goodput: /^\d+(\.\d+)?(\/s)?$/ }[
    kindOf(name)
  ];
  const number = Number.parseFloat(text) / (text.endsWith('%') ? 100 : 1);
  const bound = kindOf(name) === 'latency' ? durationOf(text) : number;
  return bound !== undefined && pattern.test(text) ? { name, text, bound } : undefined;
}

export type LoadFigures = Pick<
  LoadMeasurement,
  'sent' | 'errors' | 'refused' | 'goodputPerSecond' | 'latency'
>;

/** Compares a threshold with what was measured. A percentile of nothing is not kept. */
export function judgeThreshold(
  { name, text, bound }: Threshold,
  { sent, goodputPerSecond, ...figures }: LoadFigures,
): LoadMeasurement['thresholds'][number] {
  if (name === 'goodput')
    return {
      name,
      bound: `at least ${text}`,
      measured: `${goodputPerSecond.toFixed(2)}/s`,
      kept: goodputPerSecond >= bound,
    };
  if (name === 'errors' || name === 'refused') {
    const count = figures[name];
    const kept = (text.endsWith('%') ? count / Math.max(1, sent) : count) <= bound;
    return { name, bound: `at most ${text}`, measured: `${count} of ${sent}`, kept };
  }
  const latency = figures.latency?.[name] ?? Number.POSITIVE_INFINITY;
  const measured = Number.isFinite(latency) ? `${latency.toFixed(1)}ms` : 'no response';
  return { name, bound: `at most ${text}`, measured, kept: latency <= bound };
}
