import { isNoConnection } from '../evidence/recorded-exchange.js';
import type { LoadMeasurement } from '../evidence/record/load-measurement.js';
import type { PlanMeasurement } from '../evidence/record/plan-measurement.js';
import { Latencies } from './latencies.js';
import type { LedgerLine } from './ledger-file.js';
import type { Mix } from './load-operations.js';
import { shareName, type Share } from './share.js';
import { durationOfStages, stageAt, type Stage } from './stages.js';
import { canStillBeKept, judgeThreshold, type LoadFigures, type Threshold } from './thresholds.js';

/** Requests in a row without a connection: the target is not just restarting. */
const lostAfter = 3;

/** What is known of a load before its first response. */
export interface LoadFacts {
  readonly stages: readonly Stage[];
  readonly mix: Mix;
  /** Requests that are planned. */
  readonly planned: number;
  /** The planned moment of the whole load's first request, in epoch milliseconds. */
  readonly startedAt: number;
  readonly thresholds: readonly Threshold[];
}

/** The state of a load while it runs. */
export interface LoadState extends Readonly<Record<Count, number>> {
  /** Negative before the load begins. */
  readonly elapsedMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}
type Count = 'sent' | 'good' | 'refused' | 'errors' | 'notSent';

export interface LoadResult {
  readonly load: LoadMeasurement;
  readonly phase: PlanMeasurement['phases'][number];
  /** At the end request after request found no connection. */
  readonly lost: boolean;
}

/** What came of requests: of all, or of those of a stage, an operation or a share. */
class Tally {
  readonly counts: Record<Count, number> = { sent: 0, good: 0, refused: 0, errors: 0, notSent: 0 };
  /** From the planned moment: a service that is late makes later requests wait, and that counts. */
  readonly felt: Latencies;

  constructor(thresholds?: readonly Threshold[]) {
    this.felt = new Latencies(thresholds);
  }

  add(line: LedgerLine): void {
    const { status, reason, took = 0 } = line;
    if (line.outcome === 'not sent') {
      this.counts.notSent += 1;
      return;
    }
    const isGood = status !== undefined && status < 400 && !reason;
    this.counts.sent += 1;
    this.counts[status === 429 ? 'refused' : isGood ? 'good' : 'errors'] += 1;
    // A request without a response has a latency, too: a client waited for it.
    this.felt.add(latenessOf(line) + took);
  }
}

function addTo<Key>(tallies: Map<Key, Tally>, key: Key, line: LedgerLine): void {
  const tally = tallies.get(key) ?? new Tally();
  tallies.set(key, tally);
  tally.add(line);
}

/** Milliseconds from the planned moment to sending. A timer may fire a moment early. */
function latenessOf({ planned = 0, sent = 0 }: LedgerLine): number {
  return Math.max(0, sent - planned);
}

/** Counts the lines of a load's ledger, in memory that does not grow with it: while it runs, and again from its file. */
export class LoadCounter {
  readonly #facts: LoadFacts;
  readonly #whole: Tally;
  /** What users feel, without what the harness itself was late. */
  readonly #withoutOwn: Latencies;
  readonly #service = new Latencies();
  readonly #lateness = new Latencies();
  readonly #byOperation = new Map<string, Tally>();
  readonly #byStage = new Map<number, Tally>();
  readonly #byVolley = new Map<string, Tally>();
  readonly #byStatus = new Map<string, number>();
  #sentAfterFirst429 = 0;
  #first429At = Number.POSITIVE_INFINITY;
  #unconnectedInARow = 0;

  constructor(facts: LoadFacts) {
    this.#facts = facts;
    this.#whole = new Tally(facts.thresholds);
    this.#withoutOwn = new Latencies(facts.thresholds);
  }

  state(now: number): LoadState {
    const { counts, felt } = this.#whole;
    const elapsedMs = now - this.#facts.startedAt;
    const { p50 = 0, p99 = 0 } = felt.latency ?? {};
    return { ...counts, elapsedMs, p50Ms: p50, p99Ms: p99 };
  }

  add(line: LedgerLine): void {
    const { operation = 'unlisted', planned = 0, sent = 0, ownLate = 0, took = 0, status, reason } = line;
    const { stages, startedAt } = this.#facts;
    this.#whole.add(line);
    addTo(this.#byStage, stageAt(stages, planned - startedAt), line);
    addTo(this.#byVolley, line.volley, line);
    if (line.outcome === 'not sent') return;
    addTo(this.#byOperation, operation, line);
    const lateMs = latenessOf(line);
    this.#withoutOwn.add(lateMs - ownLate + took);
    this.#service.add(took);
    this.#lateness.add(lateMs);
    const label = status === undefined ? (reason ?? 'no response') : String(status);
    this.#byStatus.set(label, (this.#byStatus.get(label) ?? 0) + 1);
    this.#unconnectedInARow = reason && isNoConnection(reason) ? this.#unconnectedInARow + 1 : 0;
    if (sent > this.#first429At) this.#sentAfterFirst429 += 1;
    if (status === 429) this.#first429At = Math.min(this.#first429At, sent + took);
  }

  /** What came of a share's requests. */
  ofShare(share: Share): Tally {
    return this.#byVolley.get(shareName(share)) ?? new Tally();
  }

  /** The first bound that can no longer be kept, whatever still comes. */
  get missed(): Threshold | undefined {
    const durationMs = durationOfStages(this.#facts.stages);
    const figures = this.#figures(durationMs);
    return this.#facts.thresholds.find(
      (one) => !canStillBeKept(one, figures, this.#facts.planned, durationMs),
    );
  }

  #figures(durationMs: number): LoadFigures {
    const { counts, felt } = this.#whole;
    const goodputPerSecond = Math.round((counts.good / Math.max(0.001, durationMs / 1000)) * 100) / 100;
    return { ...counts, goodputPerSecond, felt, withoutOwn: this.#withoutOwn };
  }

  /** @param withheld requests that were left out because the target required a wait */
  result({ endedAt, withheld }: { readonly endedAt: number; readonly withheld: number }): LoadResult {
    const { stages, mix, planned, thresholds, startedAt } = this.#facts;
    const durationMs = Math.round(endedAt - startedAt);
    const figures = this.#figures(durationMs);
    const { counts, felt } = this.#whole;
    const { latency } = felt;
    const [first] = stages;
    return {
      load: {
        ...counts,
        goodputPerSecond: figures.goodputPerSecond,
        latency,
        service: this.#service.latency,
        lateness: this.#lateness.latency,
        ratePerSecond:
          stages.length === 1 && first
            ? first.ratePerSecond
            : Math.round((planned * 100_000) / durationOfStages(stages)) / 100,
        durationMs,
        mix: { ...mix },
        planned,
        withheld,
        byStatus: Object.fromEntries([...this.#byStatus].sort(([one], [other]) => one.localeCompare(other))),
        byOperation: Object.fromEntries(
          [...this.#byOperation].map(([name, own]) => [
            name,
            { sent: own.counts.sent, latency: own.felt.latency },
          ]),
        ),
        stages: stages.map((stage, number) => {
          const own = this.#byStage.get(number) ?? new Tally();
          return { ...stage, ...own.counts, latency: own.felt.latency };
        }),
        thresholds: thresholds.map((threshold) => judgeThreshold(threshold, figures)),
      },
      phase: {
        name: 'load',
        startedAt: new Date(startedAt).toISOString(),
        durationMs,
        sent: counts.sent,
        admitted: counts.good,
        refused: counts.refused,
        failed: counts.errors,
        sentAfterFirst429: this.#sentAfterFirst429,
        sender: 'autocannon',
        exact: true,
        latency,
      },
      lost: this.#unconnectedInARow >= lostAfter,
    };
  }
}
