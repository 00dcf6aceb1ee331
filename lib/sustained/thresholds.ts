import type { LoadMeasurement } from '../record/record.js';

/** A bound that a load must keep; a load beyond it fails. */
export interface Threshold {
  readonly name: ThresholdName;
  /** As it was typed. */
  readonly text: string;
  /** Milliseconds for a percentile; a number of requests, or a share of those sent; requests a second for goodput. */
  readonly bound: number;
  /** `bound` is a share, from 0 to 1, of the requests sent. */
  readonly isShare: boolean;
}

const percentileNames = ['p50', 'p90', 'p99', 'p999', 'max'] as const;
const countNames = ['errors', 'refused'] as const;
export const thresholdNames = [...percentileNames, ...countNames, 'goodput'] as const;
export type ThresholdName = (typeof thresholdNames)[number];

const shapes = {
  percentile: { pattern: /^\d+(?:\.\d+)?(ms|s|m|min|h)$/, expected: 'a time (250ms, 1.5s)' },
  count: { pattern: /^(\d+|\d+(?:\.\d+)?%)$/, expected: 'a number of requests or a share (0, 0.1%)' },
  goodput: { pattern: /^\d+(?:\.\d+)?(\/s)?$/, expected: 'requests per second (9.5/s)' },
} as const;

function shapeOf(name: ThresholdName): (typeof shapes)[keyof typeof shapes] {
  if (name === 'goodput') return shapes.goodput;
  return name === 'errors' || name === 'refused' ? shapes.count : shapes.percentile;
}

/** What a threshold must be, for a message: `a time (250ms, 1.5s)`. */
export function expectedThreshold(name: ThresholdName): string {
  return shapeOf(name).expected;
}

/** Reads `250ms` for a percentile, `0` or `0.1%` for errors and refused, `9.5/s` for goodput; undefined for other texts. */
export function thresholdOf(name: ThresholdName, text: string): Threshold | undefined {
  const shape = shapeOf(name);
  if (!shape.pattern.test(text)) return undefined;
  const isShare = text.endsWith('%');
  const number = Number.parseFloat(text);
  const bound = shape === shapes.percentile ? (durationOf(text) ?? number) : isShare ? number / 100 : number;
  return { name, text, bound, isShare };
}

/** Milliseconds of `250ms`, `30s`, `5m`, `2h`; undefined for other texts. A number alone has no meaning. */
export function durationOf(text: string): number | undefined {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|min|h)$/.exec(text.trim()) ?? [];
  const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, min: 60_000, h: 3_600_000 };
  return number === undefined ? undefined : Number(number) * (units[unit] ?? Number.NaN);
}

/** A threshold and what was measured, as the record has it. */
export type ThresholdResult = LoadMeasurement['thresholds'][number];
export type LoadFigures = Pick<
  LoadMeasurement,
  'sent' | 'errors' | 'refused' | 'goodputPerSecond' | 'latency'
>;

/** Compares a threshold with what was measured. A percentile of nothing is not kept. */
export function judgeThreshold(
  { name, text, bound, isShare }: Threshold,
  figures: LoadFigures,
): ThresholdResult {
  if (name === 'errors' || name === 'refused') {
    const count = figures[name];
    const kept = (isShare ? count / Math.max(1, figures.sent) : count) <= bound;
    return { name, bound: `at most ${text}`, measured: `${count} of ${figures.sent}`, kept };
  }
  if (name === 'goodput') {
    const { goodputPerSecond } = figures;
    const kept = goodputPerSecond >= bound;
    return { name, bound: `at least ${text}`, measured: `${goodputPerSecond.toFixed(2)}/s`, kept };
  }
  const latency = figures.latency?.[name];
  const measured = latency === undefined ? 'no response' : `${latency.toFixed(1)}ms`;
  return { name, bound: `at most ${text}`, measured, kept: latency !== undefined && latency <= bound };
}
