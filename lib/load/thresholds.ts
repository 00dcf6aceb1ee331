import type { LoadMeasurement } from '../evidence/record/load-measurement.js';
import { durationOf } from '../options/duration.js';
import type { Latencies } from './latencies.js';

interface Kind {
  /** What it must be, for a message. */
  readonly expected: string;
  /** Undefined for a text that is something else. */
  readonly read: (text: string) => number | undefined;
  /** Of a latency: the share of requests that it lets be slower. */
  readonly slower?: number;
}

const numberIn =
  (pattern: RegExp) =>
  (text: string): number | undefined =>
    pattern.test(text) ? Number.parseFloat(text) / (text.endsWith('%') ? 100 : 1) : undefined;
const latency = (slower: number): Kind => ({ expected: 'a time (250ms, 1.5s)', read: durationOf, slower });
const count: Kind = {
  expected: 'a number of requests or a share (0, 0.1%)',
  read: numberIn(/^(\d+|\d+(\.\d+)?%)$/),
};
const goodput: Kind = { expected: 'requests per second (9.5/s)', read: numberIn(/^\d+(\.\d+)?(\/s)?$/) };

const kinds = {
  p50: latency(0.5),
  p90: latency(0.1),
  p99: latency(0.01),
  p999: latency(0.001),
  max: latency(0),
  errors: count,
  refused: count,
  goodput,
};
export type ThresholdName = keyof typeof kinds;
/** In the order in which they are shown. */
export const thresholdNames = Object.keys(kinds) as ThresholdName[];

/** A bound that a load must keep. */
export interface Threshold {
  readonly name: ThresholdName;
  /** As it was typed. */
  readonly text: string;
  /** Milliseconds for a percentile; a number of requests, or a share of those sent; requests a second for goodput. */
  readonly bound: number;
}

export function expectedThreshold(name: ThresholdName): string {
  return kinds[name].expected;
}

/** Reads `250ms` for a percentile, `0` or `0.1%` for a count, `9.5/s` for goodput; undefined for other texts. */
export function thresholdOf(name: ThresholdName, text: string): Threshold | undefined {
  const bound = kinds[name].read(text);
  return bound === undefined ? undefined : { name, text, bound };
}

/** The thresholds of these names, in the order in which they are shown; an unknown name or text has none. */
export function thresholdsOf(bounds: Readonly<Record<string, string>>): Threshold[] {
  return thresholdNames.flatMap((name) => thresholdOf(name, bounds[name] ?? '') ?? []);
}

/** The bounds of a record, as they were typed. */
export function recordedBounds({ thresholds }: Pick<LoadMeasurement, 'thresholds'>): Record<string, string> {
  return Object.fromEntries(
    thresholds.map(({ name, bound }) => [name, bound.replace(/^at (?:most|least) /, '')]),
  );
}

export interface LoadFigures extends Readonly<Record<'sent' | 'good' | 'errors' | 'refused', number>> {
  /** Planned requests that found no connection in time. */
  readonly notSent: number;
  readonly goodputPerSecond: number;
  /** From the planned moment, as users feel it. */
  readonly felt: Measured;
  /** The same without what the harness itself was late. */
  readonly withoutOwn: Measured;
}

type Measured = Pick<Latencies, 'latency' | 'slower'>;
type Judged = LoadMeasurement['thresholds'][number];

/** How sure a percentile must be: the chance of another result, if the service is at the bound, is at most the rest. */
const confidence = 0.95;

/**
 * Compares a threshold with what was measured. A bound that the harness alone misses, by being late or by sending less than
 * was planned, is open.
 */
export function judgeThreshold(threshold: Threshold, figures: LoadFigures): Judged {
  const judged = judge(threshold, figures, figures.felt);
  if (judged.outcome === 'broken' && kinds[threshold.name].slower !== undefined) {
    const without = judge(threshold, figures, figures.withoutOwn);
    const reason = `the harness was late: without that it is ${without.measured}`;
    return without.outcome === 'broken' ? judged : { ...judged, outcome: 'open', reason };
  }
  if (judged.outcome !== 'kept' || figures.notSent === 0) return judged;
  const reason = `${figures.notSent} planned requests were not sent, as no connection was free for them in time`;
  return { ...judged, kept: false, outcome: 'open', reason };
}

/** Whether a bound is kept if all that is left of a load goes well. */
export function canStillBeKept(
  threshold: Threshold,
  figures: LoadFigures,
  planned: number,
  durationMs: number,
): boolean {
  if (figures.sent === 0) return true;
  const good = figures.good + Math.max(0, planned - figures.sent);
  const goodputPerSecond = good / (durationMs / 1_000);
  const sent = Math.max(planned, figures.sent);
  return judgeThreshold(threshold, { ...figures, sent, good, goodputPerSecond }).outcome !== 'broken';
}

function judge(threshold: Threshold, figures: LoadFigures, latencies: Measured): Judged {
  const { name, text, bound } = threshold;
  const { sent, goodputPerSecond } = figures;
  const asked = { name, bound: `${name === 'goodput' ? 'at least' : 'at most'} ${text}` };
  const judged = (measured: string, kept: boolean) =>
    ({ ...asked, measured, kept, outcome: kept ? 'kept' : 'broken' }) as const;
  if (name === 'goodput') return judged(`${goodputPerSecond.toFixed(2)}/s`, goodputPerSecond >= bound);
  if (name === 'errors' || name === 'refused') {
    const own = figures[name];
    return judged(`${own} of ${sent}`, (text.endsWith('%') ? own / Math.max(1, sent) : own) <= bound);
  }
  const longest = latencies.latency?.[name] ?? Number.POSITIVE_INFINITY;
  const measured = Number.isFinite(longest) ? `${longest.toFixed(1)}ms` : 'no response';
  const { slower: share = 0 } = kinds[name];
  const slower = latencies.slower(bound);
  // The highest latency is a fact about this load; a percentile is a claim about every further request, too.
  if (share === 0) return judged(measured, sent > 0 && slower === 0);
  if (sent === 0) return judged(measured, false);
  if (chanceOfAtMost(slower, sent, share) <= 1 - confidence) return { ...judged(measured, true), confidence };
  if (1 - chanceOfAtMost(slower - 1, sent, share) <= 1 - confidence)
    return { ...judged(measured, false), confidence };
  const reason = `${slower} of ${sent} were slower; ${requestsNeeded(share)} without a slower one would tell`;
  return { ...asked, measured, kept: false, outcome: 'open', confidence, reason };
}

/** The fewest requests, none of them slower, that show with confidence that no more than this share is. */
function requestsNeeded(share: number): number {
  return Math.ceil(Math.log(1 - confidence) / Math.log1p(-share));
}

/** The chance that at most so many of a number of requests are slower, if each is with this chance (binomial). */
function chanceOfAtMost(most: number, requests: number, share: number): number {
  let logarithm = requests * Math.log1p(-share);
  let sum = most < 0 ? 0 : Math.exp(logarithm);
  for (let one = 1; one <= Math.min(most, requests); one += 1) {
    logarithm += Math.log((requests - one + 1) / one) + Math.log(share) - Math.log1p(-share);
    sum += Math.exp(logarithm);
  }
  return Math.min(1, sum);
}
