import type { LoadMeasurement } from '../evidence/record/measurements.js';
import { durationOf } from '../options/option.js';
import type { Latencies } from './latencies.js';

/** Of each percentile: the share of requests that it lets be slower. */
const sharesSlower = { p50: 0.5, p90: 0.1, p99: 0.01, p999: 0.001 } as const;

/** In the order in which they are shown. */
export const thresholdNames = ['p50', 'p90', 'p99', 'p999', 'errors', 'refused'] as const;
export type ThresholdName = (typeof thresholdNames)[number];

/** What a load must keep, as it was typed: `250ms` for a percentile; `0`, or `0.1%` of what was sent, for a number. */
export type Bounds = Readonly<Record<string, string | undefined>>;

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
 * Compares a bound with what was measured. One that the harness alone misses, by being late or by sending less than was
 * planned, is open.
 */
export function judgeThreshold(name: ThresholdName, text: string, figures: LoadFigures): Judged {
  const judged = judge(name, text, figures, figures.felt);
  const without = judge(name, text, figures, figures.withoutOwn);
  const open = (reason: string): Judged => ({ ...judged, outcome: 'open', reason });
  if (judged.outcome === 'broken' && without.outcome !== 'broken')
    return open(`the harness was late: without that it is ${without.measured}`);
  if (judged.outcome === 'kept' && figures.notSent > 0)
    return open(
      `${figures.notSent} planned requests were not sent, as no connection was free for them in time`,
    );
  return judged;
}

function judge(name: ThresholdName, text: string, figures: LoadFigures, latencies: Measured): Judged {
  const { sent } = figures;
  const common = { name, bound: `at most ${text}` };
  if (name === 'errors' || name === 'refused') {
    const own = figures[name];
    const compared = text.endsWith('%') ? (100 * own) / Math.max(1, sent) : own;
    const outcome = compared <= Number.parseFloat(text) ? 'kept' : 'broken';
    return { ...common, measured: `${own} of ${sent}`, outcome };
  }
  const { latency } = latencies;
  if (!latency) return { ...common, measured: 'no response', outcome: 'broken' };
  // A percentile is a claim about every further request, too.
  const measured = { ...common, measured: `${latency[name].toFixed(1)}ms`, confidence };
  const [share, unlikely] = [sharesSlower[name], 1 - confidence];
  const number = latencies.slower(durationOf(text) ?? 0);
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
