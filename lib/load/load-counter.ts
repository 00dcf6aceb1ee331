import { isNoConnection } from '../evidence/recorded-exchange.js';
import type { LoadMeasurement } from '../evidence/record/measurements.js';
import { Latencies } from './latencies.js';
import type { LedgerLine } from './ledger.js';
import { judgeThreshold, thresholdNames, type Bounds } from './thresholds.js';

/** Requests in a row without a connection: the target is not just restarting. */
const lostAfter = 3;

/** What stands in no line of the ledger of a load. */
interface LoadFacts extends Pick<LoadMeasurement, 'ratePerSecond' | 'mix' | 'planned' | 'durationMs'> {
  readonly bounds: Bounds;
}

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

  result({ bounds, ...facts }: LoadFacts): LoadMeasurement {
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
