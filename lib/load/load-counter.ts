import { isNoConnection } from '../evidence/recorded-exchange.js';
import type { LoadMeasurement } from '../evidence/record/load-measurement.js';
import { Latencies } from './latencies.js';
import type { LedgerLine } from './ledger-file.js';
import type { Mix } from './load-operations.js';
import { shareName } from './share.js';
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

type ShareRow = NonNullable<LoadMeasurement['shares']>[number];

/** What stands in no line of the ledger of a load that has ended. */
export interface LoadEnd {
  readonly durationMs: number;
  /** Requests that were left out because the target required a wait. */
  readonly withheld: number;
  /** The shares that it was sent in. */
  readonly shares?:
    readonly Pick<ShareRow, 'number' | 'run' | 'withheld' | 'clockDifferenceMs'>[] | undefined;
}

/** The state of a load while it runs. */
export interface LoadState extends Readonly<Record<Count, number>> {
  /** Negative before the load begins. */
  readonly elapsedMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}
type Count = 'sent' | 'good' | 'refused' | 'errors' | 'notSent';

/** What came of requests: of all, or of those of a stage, an operation or a share. */
class Tally {
  readonly counts: Record<Count, number> = { sent: 0, good: 0, refused: 0, errors: 0, notSent: 0 };
  /** From the planned moment: a service that is late makes later requests wait, and that counts. */
  readonly felt = new Latencies();

  get figures() {
    return { ...this.counts, latency: this.felt.latency };
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

/** Milliseconds from the planned moment to sending. A timer may fire a moment early. */
function latenessOf({ planned = 0, sent = 0 }: LedgerLine): number {
  return Math.max(0, sent - planned);
}

const rounded = (number: number): number => Math.round(number * 100) / 100;

/** Counts the lines of a load's ledger, in memory that does not grow with it: while it runs, and again from its file. */
export class LoadCounter {
  readonly #facts: LoadFacts;
  readonly #whole = new Tally();
  /** What users feel, without what the harness itself was late. */
  readonly #withoutOwn = new Latencies();
  readonly #service = new Latencies();
  readonly #lateness = new Latencies();
  /** Of stages, operations and shares, by their names. */
  readonly #parts = new Map<string, Tally>();
  readonly #byStatus: Record<string, number> = {};
  #unconnectedInARow = 0;

  constructor(facts: LoadFacts) {
    this.#facts = facts;
  }

  state(now: number): LoadState {
    const { latency, ...counts } = this.#whole.figures;
    const { p50 = 0, p99 = 0 } = latency ?? {};
    return { ...counts, elapsedMs: now - this.#facts.startedAt, p50Ms: p50, p99Ms: p99 };
  }

  add(line: LedgerLine): void {
    const { operation = 'unlisted', planned = 0, ownLate = 0, took = 0, status, reason } = line;
    const { stages, startedAt } = this.#facts;
    const parts = [this.#whole, this.#part(stageName(stageAt(stages, planned - startedAt)))];
    for (const tally of [...parts, this.#part(line.volley)]) tally.add(line);
    if (line.outcome === 'not sent') return;
    this.#part(operation).add(line);
    const lateMs = latenessOf(line);
    this.#withoutOwn.add(lateMs - ownLate + took);
    this.#service.add(took);
    this.#lateness.add(lateMs);
    const label = status === undefined ? (reason ?? 'no response') : String(status);
    this.#byStatus[label] = (this.#byStatus[label] ?? 0) + 1;
    this.#unconnectedInARow = reason && isNoConnection(reason) ? this.#unconnectedInARow + 1 : 0;
  }

  #part(name: string): Tally {
    const tally = this.#parts.get(name) ?? new Tally();
    this.#parts.set(name, tally);
    return tally;
  }

  /** The first bound that can no longer be kept, whatever still comes. */
  get missed(): Threshold | undefined {
    const { stages, planned, thresholds } = this.#facts;
    const durationMs = durationOfStages(stages);
    const figures = this.#figures(durationMs);
    return thresholds.find((one) => !canStillBeKept(one, figures, planned, durationMs));
  }

  /** Request after request found no connection at last. */
  get isLost(): boolean {
    return this.#unconnectedInARow >= lostAfter;
  }

  #figures(durationMs: number): LoadFigures {
    const { counts, felt } = this.#whole;
    const goodputPerSecond = rounded(counts.good / Math.max(0.001, durationMs / 1_000));
    return { ...counts, goodputPerSecond, felt, withoutOwn: this.#withoutOwn };
  }

  result({ durationMs, withheld, shares }: LoadEnd): LoadMeasurement {
    const { stages, mix, planned, thresholds, startedAt } = this.#facts;
    const figures = this.#figures(durationMs);
    const [first] = stages;
    const operations = Object.keys(mix).flatMap((name) => {
      const { sent, latency } = this.#part(name).figures;
      return sent === 0 ? [] : [[name, { sent, latency }] as const];
    });
    const ofShares = shares?.map((share): ShareRow => {
      const { notSent: _, ...own } = this.#part(shareName({ ...share, of: shares.length })).figures;
      return { ...share, ...own };
    });
    return {
      ...this.#whole.figures,
      startedAt: new Date(startedAt).toISOString(),
      goodputPerSecond: figures.goodputPerSecond,
      service: this.#service.latency,
      lateness: this.#lateness.latency,
      ratePerSecond:
        stages.length === 1 && first
          ? first.ratePerSecond
          : rounded((planned * 1_000) / durationOfStages(stages)),
      durationMs,
      mix: { ...mix },
      planned,
      withheld,
      byStatus: Object.fromEntries(
        Object.entries(this.#byStatus).sort(([one], [other]) => one.localeCompare(other)),
      ),
      byOperation: Object.fromEntries(operations),
      stages: stages.map((stage, number) => ({ ...stage, ...this.#part(stageName(number)).figures })),
      thresholds: thresholds.map((threshold) => judgeThreshold(threshold, figures)),
      ...(ofShares && { shares: ofShares }),
    };
  }
}

function stageName(number: number): string {
  return `stage ${number}`;
}

/** The figures of a load, from the lines of its ledger. */
export function countLoad(load: LoadFacts & LoadEnd, lines: readonly LedgerLine[]): LoadMeasurement {
  const counter = new LoadCounter(load);
  for (const line of lines) counter.add(line);
  return counter.result(load);
}
