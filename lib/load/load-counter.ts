import { isNoConnection } from '../evidence/recorded-exchange.js';
import type { Latency, LoadMeasurement } from '../evidence/record/measurements.js';
import { roundedDuration } from '../http/clock/clock.js';
import { durationOf } from '../options/option.js';
import type { LedgerLine } from './ledger.js';

/** Requests in a row without a connection: the target is not just restarting. */
const lostAfter = 3;

/** What stands in no line of the ledger of a load. */
type LoadFacts = Pick<LoadMeasurement, 'ratePerSecond' | 'mix' | 'planned' | 'durationMs'>;

/** Counts the lines of a load's ledger, in memory that does not grow with it: while it runs, and the lines of its shares together. */
export class LoadCounter {
  readonly #counts = { sent: 0, good: 0, refused: 0, errors: 0, notSent: 0, withheld: 0 };
  /** From the planned moment: a service that is late makes later requests wait, and that counts. */
  readonly #felt = new Latencies();
  /** The same without what the harness itself was late. */
  readonly #withoutOwn = new Latencies();
  readonly #service = new Latencies();
  readonly #lateness = new Latencies();
  readonly #byOperation = new Map<string, Latencies>();
  readonly #byStatus: Record<string, number> = {};
  #unconnectedInARow = 0;

  get figures() {
    return { ...this.#counts, latency: this.#felt.latency };
  }

  /** Request after request found no connection at last. */
  get isLost(): boolean {
    return this.#unconnectedInARow >= lostAfter;
  }

  add(line: LedgerLine): void {
    const { operation = 'unlisted', planned = 0, sent = 0, ownLate = 0, took = 0, status, reason } = line;
    if (line.outcome === 'not sent' || line.outcome === 'withheld') {
      this.#counts[line.outcome === 'withheld' ? 'withheld' : 'notSent'] += 1;
      return;
    }
    const isGood = status !== undefined && status < 400 && !reason;
    this.#counts.sent += 1;
    this.#counts[status === 429 ? 'refused' : isGood ? 'good' : 'errors'] += 1;
    // A timer may fire a moment early.
    const lateMs = Math.max(0, sent - planned);
    const ofOperation = this.#byOperation.get(operation) ?? new Latencies();
    this.#byOperation.set(operation, ofOperation);
    // A request without a response has a latency, too: a client waited for it.
    for (const felt of [this.#felt, ofOperation]) felt.add(lateMs + took);
    this.#withoutOwn.add(lateMs - ownLate + took);
    this.#service.add(took);
    this.#lateness.add(lateMs);
    const label = status === undefined ? (reason ?? 'no response') : String(status);
    this.#byStatus[label] = (this.#byStatus[label] ?? 0) + 1;
    this.#unconnectedInARow = reason && isNoConnection(reason) ? this.#unconnectedInARow + 1 : 0;
  }

  result(facts: LoadFacts, bounds: Bounds): LoadMeasurement {
    const { figures } = this;
    const judged = { ...figures, felt: this.#felt, withoutOwn: this.#withoutOwn };
    const operations = [...this.#byOperation].map(
      ([name, { number, latency }]) => [name, { sent: number, latency }] as const,
    );
    return {
      ...facts,
      ...figures,
      goodputPerSecond: Math.round((100_000 * figures.good) / Math.max(1, facts.durationMs)) / 100,
      service: this.#service.latency,
      lateness: this.#lateness.latency,
      byStatus: this.#byStatus,
      byOperation: Object.fromEntries(operations),
      thresholds: thresholdNames.flatMap((name) => {
        const text = bounds[name];
        return text === undefined ? [] : judgeThreshold(name, text, judged);
      }),
    };
  }
}

/** Latencies in milliseconds, to four digits, in memory that does not grow with them. */
export class Latencies {
  readonly #numberOf = new Map<number, number>();
  /** How many were added. */
  number = 0;
  #sum = 0;

  add(milliseconds: number): void {
    const rounded = Number(milliseconds.toPrecision(4));
    this.#numberOf.set(rounded, (this.#numberOf.get(rounded) ?? 0) + 1);
    this.number += 1;
    this.#sum += milliseconds;
  }

  slower(bound: number): number {
    let slower = 0;
    for (const [one, number] of this.#numberOf) if (one > bound) slower += number;
    return slower;
  }

  /** Undefined without any. A percentile is the smallest that so many are not greater than. */
  get latency(): Latency | undefined {
    if (this.number === 0) return undefined;
    const rising = [...this.#numberOf].toSorted(([one], [other]) => one - other);
    const at = (perMille: number): number => {
      let left = Math.max(1, Math.ceil((perMille * this.number) / 1_000));
      const [milliseconds = 0] = rising.find(([, number]) => (left -= number) <= 0) ?? [];
      return milliseconds;
    };
    const mean = roundedDuration(this.#sum / this.number);
    return { min: at(0), p50: at(500), p90: at(900), p99: at(990), p999: at(999), max: at(1_000), mean };
  }
}

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
