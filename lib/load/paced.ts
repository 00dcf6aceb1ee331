import { Pool } from 'undici';
import type { Clock } from '../http/clock/clock.js';
import type { LedgerEntry } from './ledger.js';
import type { LoadTarget } from './load-target.js';
import type { PlannedRequest } from '../http/exchange/planned-request.js';
import { send } from './send.js';
import { connectorFor } from './warm-connections.js';

/** One request that was planned for a moment. Times are epoch milliseconds. */
export interface PacedEntry {
  readonly entry: LedgerEntry;
  readonly plannedAt: number;
  /**
   * Milliseconds from the planned moment to the answer's head, or to the failure. What a client waits that sends when it
   * planned to: a service that is late makes later requests wait, and that counts.
   */
  readonly latencyMs: number;
}

export interface PacedOptions {
  readonly target: LoadTarget;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Arrivals a second, evenly spaced; may be a fraction. */
  readonly ratePerSecond: number;
  /** Arrivals in all. */
  readonly count: number;
  /** Requests under way at once; a planned one beyond them waits, and its latency runs. */
  readonly connections: number;
  /** Where it is set, a planned request waits (and its latency runs) until no more than this are under way with it. */
  readonly underWayAtMost?: number;
  /** The request of an arrival, from 0; `undefined` ends the load. */
  readonly request: (index: number) => PlannedRequest | undefined;
  /** Told of each request when its answer is complete, or it failed. */
  readonly answered: (paced: PacedEntry) => void;
  /**
   * Asked before each arrival: until when (epoch milliseconds) nothing is to be sent. What was planned for before is then
   * left out, not sent late. `undefined`: go on.
   */
  readonly heldBackUntil: () => number | undefined;
}

export interface PacedResult {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly sent: number;
  /** Arrivals that were left out while the load was held back. */
  readonly withheld: number;
}

/**
 * Sends evenly spaced requests, each at the moment that was planned for it, whether or not earlier ones have been
 * answered. Ends when all are answered; on interruption what is under way is waited for.
 */
export async function paced(options: PacedOptions): Promise<PacedResult> {
  const { target, clock, signal, ratePerSecond, count } = options;
  const pool = new Pool(new URL(target.baseUrl).origin, {
    connections: options.connections,
    pipelining: 1,
    connect: connectorFor(target),
    // The deadline of a request as a whole is `send`'s; undici's would begin anew with every byte.
    headersTimeout: 0,
    bodyTimeout: 0,
    // Shorter than any usual server's, so that a request seldom meets a connection that is just being closed.
    keepAliveTimeout: 2_000,
    keepAliveMaxTimeout: 2_000,
    maxHeaderSize: 64 * 1024,
  });
  const startedAt = clock.now();
  const interval = 1_000 / ratePerSecond;
  const underWay = new Set<Promise<void>>();
  let sent = 0;
  let withheld = 0;

  const fire = async (request: PlannedRequest, plannedAt: number): Promise<void> => {
    const entry = await send(pool, request, { target, clock });
    options.answered({ entry, plannedAt, latencyMs: entry.at - plannedAt });
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
      sent += 1;
      const one = fire(request, plannedAt).finally(() => underWay.delete(one));
      underWay.add(one);
    }
    await Promise.all(underWay);
  } finally {
    await pool.destroy();
  }
  return { startedAt, endedAt: clock.now(), sent, withheld };
}

async function waitUntil(moment: number, clock: Clock, signal: AbortSignal): Promise<void> {
  const wait = moment - clock.now();
  if (wait <= 0) return;
  // An interruption ends the wait; the loop sees it.
  await clock.sleep(wait, signal).catch(() => undefined);
}
