import { UsageProblem } from '../usage/usage-problem.js';
import type { Latency } from '../record/record.js';

/** A bound that a load has to keep; what is beyond it fails the run. */
export interface Threshold {
  /** `p99`, `errors`, `refused`, `goodput`. */
  readonly name: ThresholdName;
  /** As it was typed. */
  readonly text: string;
  /** Milliseconds for percentiles; a number of requests, or a share of those sent; requests a second for goodput. */
  readonly bound: number;
  /** `bound` is a share, from 0 to 1, of the requests sent. */
  readonly isShare: boolean;
}

export const thresholdNames = ['p50', 'p90', 'p99', 'p999', 'max', 'errors', 'refused', 'goodput'] as const;
export type ThresholdName = (typeof thresholdNames)[number];

/** A threshold and what was measured. */
export interface ThresholdResult {
  readonly name: ThresholdName;
  readonly bound: string;
  readonly measured: string;
  readonly kept: boolean;
}

/** The figures that thresholds are held against. */
export interface LoadFigures {
  readonly sent: number;
  readonly errors: number;
  readonly refused: number;
  readonly goodputPerSecond: number;
  readonly latency: Latency | undefined;
}

/**
 * Reads a threshold: `250ms` or `1.5s` for percentiles, `0` or `0.1%` for errors and refused, `9.5` or `9.5/s` for
 * goodput.
 * @throws UsageProblem
 */
export function thresholdOf(name: ThresholdName, text: string): Threshold {
  const problem = (expected: string): UsageProblem =>
    new UsageProblem(`--${name} is to be ${expected}, not ${JSON.stringify(text)}`);
  if (name === 'errors' || name === 'refused') {
    const [, number, percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? [];
    if (number === undefined || (percent === '' && number.includes('.')))
      throw problem('a number of requests or a share (0, 0.1%)');
    return {
      name,
      text,
      bound: percent === '%' ? Number(number) / 100 : Number(number),
      isShare: percent === '%',
    };
  }
  if (name === 'goodput') {
    const [, number] = /^(\d+(?:\.\d+)?)(?:\/s)?$/.exec(text) ?? [];
    if (number === undefined) throw problem('requests a second (9.5/s)');
    return { name, text, bound: Number(number), isShare: false };
  }
  const milliseconds = durationOf(text);
  if (milliseconds === undefined) throw problem('a time (250ms, 1.5s)');
  return { name, text, bound: milliseconds, isShare: false };
}

/** Milliseconds of `250ms`, `30s`, `5m`, `2h`; undefined for anything else. A number alone means nothing. */
export function durationOf(text: string): number | undefined {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|min|h)$/.exec(text.trim()) ?? [];
  if (number === undefined) return undefined;
  const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, min: 60_000, h: 3_600_000 };
  return Number(number) * (units[unit ?? ''] ?? Number.NaN);
}

/** Holds a threshold against what was measured. A percentile of nothing is not kept. */
export function judgeThreshold(
  { name, text, bound, isShare }: Threshold,
  figures: LoadFigures,
): ThresholdResult {
  if (name === 'errors' || name === 'refused') {
    const count = figures[name];
    const measured = isShare ? count / Math.max(1, figures.sent) : count;
    return {
      name,
      bound: `at most ${text}`,
      measured: `${count} of ${figures.sent}`,
      kept: measured <= bound,
    };
  }
  if (name === 'goodput') {
    const { goodputPerSecond } = figures;
    return {
      name,
      bound: `at least ${text}`,
      measured: `${goodputPerSecond.toFixed(2)}/s`,
      kept: goodputPerSecond >= bound,
    };
  }
  const measured = figures.latency?.[name];
  return {
    name,
    bound: `at most ${text}`,
    measured: measured === undefined ? 'nothing was answered' : `${measured.toFixed(1)}ms`,
    kept: measured !== undefined && measured <= bound,
  };
}
