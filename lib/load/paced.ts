import type { Clock } from '../http/clock/clock.js';
import type { PlannedRequest } from '../http/exchange/planned-request.js';
import type { Lane } from './lane.js';
import { openLanes, type Sending } from './lanes.js';
import { sumOfCounts, type TwoCounts } from '../evidence/record/measurements.js';
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
  readonly entry: LedgerEntry;
}

export interface PacedOptions extends Sending {
  /** The planned moment of a request, from 0, in epoch milliseconds by the clock. */
  readonly plannedAt: (index: number) => number;
  /** Requests in all. */
  readonly count: number;
  /** An interruption ends requests under way, too; by default they are waited for. */
  readonly isCutOff?: boolean;
  /**
   * Called when the moment has come and a connection is free: the request that is sent now. `null` leaves it out,
   * `undefined` ends the load.
   */
  readonly request: (index: number) => PlannedRequest | null | undefined;
  /** Called with each response when its head arrives, and with each request that gets none (`status` null). */
  readonly begun?: (entry: LedgerEntry) => void;
  /** Called with each request that was sent when its response is complete, or it failed. */
  readonly settled: (paced: PacedEntry) => void;
}

/**
 * Sends each request at its planned moment, whether or not earlier ones have a response, as long as a connection is free.
 * Ends when all have ended. Every request ends in a response or a failure; none is retried.
 */
export async function paced(options: PacedOptions): Promise<{ endedAt: number; counts: TwoCounts }> {
  const { clock, signal, inTurn = false } = options;
  const { lanes, close } = await openLanes(options);
  const cutOff = (): void => void (options.isCutOff && close());
  signal.addEventListener('abort', cutOff);
  // The one that was used last comes first, so that as few connections as suffice are used; or all come in turn.
  const free = lanes.toReversed();
  let waiting: ((lane: Lane) => void) | undefined;
  let isOver = false;
  const give = (lane: Lane): void => {
    // A server that serves few connections at a time can take the next one.
    if (isOver) lane.close();
    else if (waiting) waiting(lane);
    else free[inTurn ? 'unshift' : 'push'](lane);
    waiting = undefined;
  };
  let ledger = sumOfCounts([]);
  const standstill = new Standstill();
  const underWay = new Set<Promise<void>>();

  const fire = async (request: PlannedRequest, plannedAt: number, lane: Lane): Promise<void> => {
    const { freeAt } = lane;
    let unreadMs = 0;
    const entry = await lane.send(request, (begun) => {
      unreadMs = standstill.within(begun.at - begun.sentAt);
      options.begun?.(begun);
    });
    give(lane);
    ledger = sumOfCounts([ledger, countOf(entry)]);
    // A timer may fire a moment early.
    const unsentMs = Math.max(0, entry.sentAt - Math.max(plannedAt, freeAt));
    options.settled({ plannedAt, ownLateMs: unsentMs + unreadMs, entry });
  };

  for (let index = 0; index < options.count && !signal.aborted; index += 1) {
    const plannedAt = options.plannedAt(index);
    await waitUntil(plannedAt, clock, signal);
    const lane = free.pop() ?? (await new Promise<Lane>((resolve) => (waiting = resolve)));
    const request = signal.aborted ? undefined : options.request(index);
    if (!request) give(lane);
    if (request === undefined) break;
    if (request === null) continue;
    const one = fire(request, plannedAt, lane).finally(() => underWay.delete(one));
    underWay.add(one);
    if (inTurn) await one;
  }
  isOver = true;
  for (const lane of free) lane.close();
  await Promise.all(underWay);
  standstill.end();
  signal.removeEventListener('abort', cutOff);
  return { endedAt: clock.now(), counts: { ledger, autocannon: await close() } };
}

async function waitUntil(moment: number, clock: Clock, signal: AbortSignal): Promise<void> {
  const wait = moment - clock.now();
  if (wait <= 0) return;
  // An interruption ends the wait; the loop sees it.
  await clock.sleep(wait, signal).catch(() => undefined);
}
