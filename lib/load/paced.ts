import { Pool } from 'undici';
import { connectorFor, dispatcherOptions } from '../http/connection/connector.js';
import type { Clock } from '../http/clock/clock.js';
import type { LedgerEntry } from './ledger.js';
import { type LoadTarget, send } from './send.js';
import type { PlannedRequest } from '../http/exchange/planned-request.js';

/** One request that was planned for a moment. Times are epoch milliseconds. */
export interface PacedEntry {
  readonly entry: LedgerEntry;
  readonly plannedAt: number;
}

export interface PacedOptions {
  readonly target: LoadTarget;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Arrivals a second, evenly spaced; may be a fraction. */
  readonly ratePerSecond: number;
  /** When the load begins, in epoch milliseconds by the clock; by default at once. */
  readonly startAt?: number | undefined;
  /** Arrivals in all. */
  readonly count: number;
  /** Requests under way at once; a planned one beyond them waits. */
  readonly connections: number;
  /** If set, a planned request waits until no more than this are under way with it. */
  readonly underWayAtMost?: number;
  /** The request of an arrival, from 0; `undefined` ends the load. */
  readonly request: (index: number) => PlannedRequest | undefined;
  /** Called with each request when its response is complete, or it failed. */
  readonly answered: (paced: PacedEntry) => void;
  /**
   * Called before each arrival: the moment (epoch milliseconds) until which nothing must be sent. Requests planned for
   * earlier are then left out, not sent late. `undefined`: go on.
   */
  readonly heldBackUntil: () => number | undefined;
}

export interface PacedResult {
  readonly endedAt: number;
  /** Arrivals that were left out while the load was held back. */
  readonly withheld: number;
}

/**
 * Sends evenly spaced requests, each at its planned moment, whether or not earlier ones have a response. Ends when all
 * have one; after an interruption, requests under way are waited for.
 */
export async function paced(options: PacedOptions): Promise<PacedResult> {
  const { target, clock, signal, ratePerSecond, count } = options;
  const origin = new URL(target.baseUrl);
  const connect = connectorFor(origin, target);
  const { connections } = options;
  const pool = new Pool(origin.origin, { ...dispatcherOptions, connections, connect });
  const startedAt = options.startAt ?? clock.now();
  const interval = 1_000 / ratePerSecond;
  const underWay = new Set<Promise<void>>();
  let withheld = 0;

  const fire = async (request: PlannedRequest, plannedAt: number): Promise<void> => {
    const entry = await send(pool, request, { target, clock });
    options.answered({ entry, plannedAt });
  };

  try {
    for (let index = 0; index < count && !signal.aborted; index += 1) {
      const plannedAt = startedAt + index * interval;
      await waitUntil(plannedAt, clock, signal);
      while (underWay.size >= (options.underWayAtMost ?? Number.POSITIVE_INFINITY))
        await Promise.race(underWay);
      if (signal.aborted) break;
      const heldBack = options.heldBackUntil();
      if (heldBack !== undefined && plannedAt < heldBack) {
        withheld += 1;
        continue;
      }
      const request = options.request(index);
      if (!request) break;
      const one = fire(request, plannedAt).finally(() => underWay.delete(one));
      underWay.add(one);
    }
    await Promise.all(underWay);
  } finally {
    await pool.destroy();
  }
  return { endedAt: clock.now(), withheld };
}

async function waitUntil(moment: number, clock: Clock, signal: AbortSignal): Promise<void> {
  const wait = moment - clock.now();
  if (wait <= 0) return;
  // An interruption ends the wait; the loop sees it.
  await clock.sleep(wait, signal).catch(() => undefined);
}
