import type { LoadMeasurement } from '../evidence/record/load-measurement.js';
import { durationOf } from '../options/duration.js';

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

/** Latencies of one kind. */
interface MeasuredLatency {
  /** Undefined without any. A summary takes half a millisecond: it is made when it is read. */
  readonly latency: LoadMeasurement['latency'];
  /** How many were above the bound of a percentile. */
  readonly slower: (threshold: Threshold) => number;
}

export interface LoadFigures {
  readonly sent: number;
  readonly good: number;
  readonly errors: number;
  readonly refused: number;
  /** Planned requests that found no connection in time. */
  readonly notSent: number;
  readonly goodputPerSecond: number;
  /** From the planned moment, as users feel it. */
  readonly felt: MeasuredLatency;
  /** The same without what the harness itself was late. */
  readonly withoutOwn: MeasuredLatency;
}

type Judged = LoadMeasurement['thresholds'][number];

/** The share of requests that a percentile lets be slower. */
const slowerShare: Partial<Record<ThresholdName, number>> = { p50: 0.5, p90: 0.1, p99: 0.01, p999: 0.001 };
/** How sure a percentile must be: the chance of another result, if the service is at the bound, is at most the rest. */
const confidence = 0.95;

/**
 * Compares a threshold with what was measured. A bound that the harness alone misses, by being late or by sending less than
 * was planned, is open.
 */
export function judgeThreshold(threshold: Threshold, figures: LoadFigures): Judged {
  const judged = judge(threshold, figures, figures.felt);
  if (judged.outcome === 'broken' && kindOf(threshold.name) === 'latency') {
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
  // This is asked after each response. As many as a percentile lets be slower can't break it: there is nothing to compute.
  const slower = Math.min(figures.felt.slower(threshold), figures.withoutOwn.slower(threshold));
  if (kindOf(threshold.name) === 'latency' && slower <= sent * (slowerShare[threshold.name] ?? 0))
    return true;
  const best = { ...figures, sent, good, goodputPerSecond };
  return judgeThreshold(threshold, best).outcome !== 'broken';
}

function judge(
  threshold: Threshold,
  { sent, goodputPerSecond, ...figures }: LoadFigures,
  { latency: latencies, slower }: MeasuredLatency,
): Judged {
  const { name, text, bound } = threshold;
  const outcomeOf = (kept: boolean) => ({ kept, outcome: kept ? ('kept' as const) : ('broken' as const) });
  if (name === 'goodput')
    return {
      name,
      bound: `at least ${text}`,
      measured: `${goodputPerSecond.toFixed(2)}/s`,
      ...outcomeOf(goodputPerSecond >= bound),
    };
  if (name === 'errors' || name === 'refused') {
    const count = figures[name];
    const kept = (text.endsWith('%') ? count / Math.max(1, sent) : count) <= bound;
    return { name, bound: `at most ${text}`, measured: `${count} of ${sent}`, ...outcomeOf(kept) };
  }
  const latency = latencies?.[name] ?? Number.POSITIVE_INFINITY;
  const measured = Number.isFinite(latency) ? `${latency.toFixed(1)}ms` : 'no response';
  const asked = { name, bound: `at most ${text}`, measured };
  const share = slowerShare[name];
  // The highest latency is a fact about this load; a percentile is a claim about every further request, too.
  if (share === undefined || sent === 0) return { ...asked, ...outcomeOf(latency <= bound) };
  const number = slower(threshold);
  if (chanceOfAtMost(number, sent, share) <= 1 - confidence)
    return { ...asked, ...outcomeOf(true), confidence };
  if (1 - chanceOfAtMost(number - 1, sent, share) <= 1 - confidence)
    return { ...asked, ...outcomeOf(false), confidence };
  const reason = `${number} of ${sent} were slower; ${requestsNeeded(share)} without a slower one would tell`;
  return { ...asked, kept: false, outcome: 'open', confidence, reason };
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
