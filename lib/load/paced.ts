import type { Clock } from '../http/clock/clock.js';
import type { PlannedRequest } from '../http/exchange/planned-request.js';
import type { Lane } from './lane.js';
import { openLanes, type Sending, warm } from './lanes.js';
import { sumOfCounts, type TwoCounts } from '../evidence/record/request-counts.js';
import { countOf, type LedgerEntry } from './ledger.js';
import { Standstill } from './standstill.js';

/** One request that was planned for a moment. Times are epoch milliseconds. */
export interface PacedEntry {
  readonly plannedAt: number;
  /**
   * The harness's own lateness in milliseconds: by which it was sent late although a connection was free, and for which its
   * response may have lain unread.
   */
  readonly ownLateMs: number;
  /** Absent if it was not sent, because no connection was free for it in time. */
  readonly entry?: LedgerEntry;
}

export interface PacedOptions extends Sending {
  /** The planned moment of a request, from 0, in epoch milliseconds by the clock. */
  readonly plannedAt: (index: number) => number;
  /** Requests in all. */
  readonly count: number;
  /** Opens all connections before the first request; default false. */
  readonly warm?: boolean;
  /** An interruption ends requests under way, too; by default they are waited for. */
  readonly isCutOff?: boolean;
  /** Milliseconds for which a planned request may wait for a connection; default without end. */
  readonly patienceMs?: number;
  /** The request of an arrival; `undefined` ends the load. */
  readonly request: (index: number) => PlannedRequest | undefined;
  /** Called with each response when its head arrives, and with each request that gets none (`status` null). */
  readonly begun?: (entry: LedgerEntry) => void;
  /** Called with each planned request at once when its response is complete, or it failed, or it was not sent in time. */
  readonly settled: (paced: PacedEntry) => void;
  /**
   * Called before each arrival: the moment (epoch milliseconds) until which nothing must be sent. Requests planned for
   * earlier are then left out, not sent late. `undefined`: go on.
   */
  readonly heldBackUntil?: () => number | undefined;
}

export interface PacedResult {
  readonly endedAt: number;
  /** Arrivals that were left out while the load was held back. */
  readonly withheld: number;
  readonly counts: TwoCounts;
}

/**
 * Sends each request at its planned moment, whether or not earlier ones have a response, as long as a connection is free.
 * Ends when all have ended. Every request ends in a response or a failure; none is retried.
 */
export async function paced(options: PacedOptions): Promise<PacedResult> {
  const { clock, signal, inTurn = false, patienceMs = Number.POSITIVE_INFINITY } = options;
  const { lanes, close } = await openLanes(options);
  const cutOff = (): void => void (options.isCutOff && close());
  signal.addEventListener('abort', cutOff);
  if (options.warm) await warm(lanes);
  const free = new FreeLanes(lanes, clock, inTurn);
  let ledger = sumOfCounts([]);
  const standstill = new Standstill();
  const underWay = new Set<Promise<void>>();
  let withheld = 0;

  const fire = async (request: PlannedRequest, plannedAt: number, { lane, freeAt }: Free): Promise<void> => {
    let unreadMs = 0;
    const entry = await lane.send(request, {
      closeConnection: options.closeConnections,
      onHead: (begun) => {
        unreadMs = standstill.within(begun.at - begun.sentAt);
        options.begun?.(begun);
      },
    });
    free.give(lane);
    ledger = sumOfCounts([ledger, countOf(entry)]);
    // A timer may fire a moment early.
    const unsentMs = Math.max(0, entry.sentAt - Math.max(plannedAt, freeAt));
    options.settled({ plannedAt, ownLateMs: unsentMs + unreadMs, entry });
  };

  for (let index = 0; index < options.count && !signal.aborted; index += 1) {
    const plannedAt = options.plannedAt(index);
    await waitUntil(plannedAt, clock, signal);
    const taken = await free.take();
    const heldBack = options.heldBackUntil?.();
    const isWithheld = heldBack !== undefined && plannedAt < heldBack;
    const isTooLate = clock.now() - plannedAt > patienceMs;
    const request = signal.aborted || isWithheld || isTooLate ? undefined : options.request(index);
    if (request) {
      const one = fire(request, plannedAt, taken).finally(() => underWay.delete(one));
      underWay.add(one);
      if (inTurn) await one;
      continue;
    }
    free.give(taken.lane, taken.freeAt);
    if (isWithheld) withheld += 1;
    else if (isTooLate) options.settled({ plannedAt, ownLateMs: 0 });
    else break;
  }
  free.close();
  await Promise.all(underWay);
  standstill.end();
  signal.removeEventListener('abort', cutOff);
  return { endedAt: clock.now(), withheld, counts: { ledger, autocannon: await close() } };
}

/** A lane without a request under way, and since when. */
interface Free {
  readonly lane: Lane;
  readonly freeAt: number;
}

/**
 * Lanes that carry no request: the one that was used last comes first, so that as few connections as suffice are used, or
 * all come in turn.
 */
class FreeLanes {
  readonly #free: Free[];
  readonly #clock: Clock;
  readonly #inTurn: boolean;
  #waiting: ((one: Free) => void) | undefined;
  #closed = false;

  constructor(lanes: readonly Lane[], clock: Clock, inTurn: boolean) {
    this.#clock = clock;
    this.#inTurn = inTurn;
    this.#free = lanes.map((lane) => ({ lane, freeAt: 0 })).toReversed();
  }

  /** Waits for a lane; one caller at a time. */
  take(): Free | Promise<Free> {
    return this.#free.pop() ?? new Promise((resolve) => (this.#waiting = resolve));
  }

  give(lane: Lane, freeAt = this.#clock.now()): void {
    if (this.#closed) return lane.close();
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting) waiting({ lane, freeAt });
    else if (this.#inTurn) this.#free.unshift({ lane, freeAt });
    else this.#free.push({ lane, freeAt });
  }

  /** Nothing more is sent: a server that serves few connections at a time can take the next one. */
  close(): void {
    this.#closed = true;
    for (const { lane } of this.#free) lane.close();
  }
}

async function waitUntil(moment: number, clock: Clock, signal: AbortSignal): Promise<void> {
  const wait = moment - clock.now();
  if (wait <= 0) return;
  // An interruption ends the wait; the loop sees it.
  await clock.sleep(wait, signal).catch(() => undefined);
}
