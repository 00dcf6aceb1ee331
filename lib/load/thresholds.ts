import type { LoadMeasurement } from '../evidence/record/measurements.js';
import { durationOf } from '../options/option.js';
import type { Latencies } from './latencies.js';

/** Of each percentile: the share of requests that it lets be slower. */
const slower = { p50: 0.5, p90: 0.1, p99: 0.01, p999: 0.001 } as const;

/** In the order in which they are shown. */
export const thresholdNames = ['p50', 'p90', 'p99', 'p999', 'errors', 'refused'] as const;
export type ThresholdName = (typeof thresholdNames)[number];

function isPercentile(name: ThresholdName): name is keyof typeof slower {
  return name in slower;
}

/** A bound that a load must keep. */
export interface Threshold {
  readonly name: ThresholdName;
  /** As it was typed. */
  readonly text: string;
  /** Milliseconds for a percentile; a number of requests, or a share of those sent. */
  readonly bound: number;
}

/** What a threshold must be, for a message. */
export function expectedThreshold(name: ThresholdName): string {
  return isPercentile(name) ? 'a time (250ms, 1.5s)' : 'a number of requests or a share (0, 0.1%)';
}

/** Reads `250ms` for a percentile, `0` or `0.1%` for a count; undefined for other texts. */
export function thresholdOf(name: ThresholdName, text: string): Threshold | undefined {
  if (!isPercentile(name) && !/^(\d+|\d+(\.\d+)?%)$/.test(text)) return undefined;
  const bound = isPercentile(name)
    ? durationOf(text)
    : Number.parseFloat(text) / (text.endsWith('%') ? 100 : 1);
  return bound === undefined ? undefined : { name, text, bound };
}

/** The thresholds of these names, in the order in which they are shown; an unknown name or text has none. */
export function thresholdsOf(bounds: Readonly<Record<string, string>>): Threshold[] {
  return thresholdNames.flatMap((name) => thresholdOf(name, bounds[name] ?? '') ?? []);
}

export interface LoadFigures extends Readonly<Record<'sent' | 'errors' | 'refused', number>> {
  /** Planned requests that found no connection in time. */
  readonly notSent: number;
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
  if (judged.outcome === 'broken') {
    const without = judge(threshold, figures, figures.withoutOwn);
    const reason = `the harness was late: without that it is ${without.measured}`;
    return without.outcome === 'broken' ? judged : { ...judged, outcome: 'open', reason };
  }
  if (judged.outcome !== 'kept' || figures.notSent === 0) return judged;
  const reason = `${figures.notSent} planned requests were not sent, as no connection was free for them in time`;
  return { ...judged, outcome: 'open', reason };
}

function judge({ name, text, bound }: Threshold, figures: LoadFigures, latencies: Measured): Judged {
  const { sent } = figures;
  const judged = (measured: string, outcome: 'kept' | 'broken' | 'open', more = {}): Judged => {
    return { name, bound: `at most ${text}`, measured, outcome, ...more };
  };
  if (!isPercentile(name)) {
    const own = figures[name];
    const isKept = (text.endsWith('%') ? own / Math.max(1, sent) : own) <= bound;
    return judged(`${own} of ${sent}`, isKept ? 'kept' : 'broken');
  }
  const { latency } = latencies;
  if (!latency) return judged('no response', 'broken');
  // A percentile is a claim about every further request, too.
  const [measured, share, above] = [`${latency[name].toFixed(1)}ms`, slower[name], latencies.slower(bound)];
  const unlikely = 1 - confidence;
  if (chanceOfAtMost(above, sent, share) <= unlikely) return judged(measured, 'kept', { confidence });
  if (1 - chanceOfAtMost(above - 1, sent, share) <= unlikely)
    return judged(measured, 'broken', { confidence });
  const needed = Math.ceil(Math.log(unlikely) / Math.log1p(-share));
  const reason = `${above} of ${sent} were slower; ${needed} without a slower one would tell`;
  return judged(measured, 'open', { confidence, reason });
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
