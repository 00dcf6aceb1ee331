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
  const [, count, share] = /^(?:(\d+)|(\d+(?:\.\d+)?)%)$/.exec(text) ?? [];
  const number = share === undefined ? Number(count) : Number(share) / 100;
  const bound = isPercentile(name) ? (durationOf(text) ?? Number.NaN) : number;
  return Number.isNaN(bound) ? undefined : { name, text, bound };
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
  const without = judge(threshold, figures, figures.withoutOwn);
  if (judged.outcome === 'broken' && without.outcome !== 'broken')
    return {
      ...judged,
      outcome: 'open',
      reason: `the harness was late: without that it is ${without.measured}`,
    };
  if (judged.outcome !== 'kept' || figures.notSent === 0) return judged;
  const reason = `${figures.notSent} planned requests were not sent, as no connection was free for them in time`;
  return { ...judged, outcome: 'open', reason };
}

function judge({ name, text, bound }: Threshold, figures: LoadFigures, latencies: Measured): Judged {
  const { sent } = figures;
  const facts = { name, bound: `at most ${text}` };
  if (!isPercentile(name)) {
    const own = figures[name];
    const isKept = (text.endsWith('%') ? own / Math.max(1, sent) : own) <= bound;
    return { ...facts, measured: `${own} of ${sent}`, outcome: isKept ? 'kept' : 'broken' };
  }
  const { latency } = latencies;
  if (!latency) return { ...facts, measured: 'no response', outcome: 'broken' };
  // A percentile is a claim about every further request, too.
  const measured = { ...facts, measured: `${latency[name].toFixed(1)}ms`, confidence };
  const [share, number, unlikely] = [slower[name], latencies.slower(bound), 1 - confidence];
  if (chanceOfAtMost(number, sent, share) <= unlikely) return { ...measured, outcome: 'kept' };
  if (1 - chanceOfAtMost(number - 1, sent, share) <= unlikely) return { ...measured, outcome: 'broken' };
  const needed = Math.ceil(Math.log(unlikely) / Math.log1p(-share));
  const reason = `${number} of ${sent} were slower; ${needed} without a slower one would tell`;
  return { ...measured, outcome: 'open', reason };
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
