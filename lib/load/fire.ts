import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { isLoopback } from '../http/connection/loopback.js';
import type { PlannedRequest } from '../http/exchange/planned-request.js';
import type { Lane, Sending } from './lane.js';
import type { LedgerEntry } from './ledger.js';
import { Standstill } from './standstill.js';

/** Connections opened at a time, below what a server's queue of new ones usually holds (511 in Node). */
const openedAtOnce = 128;
/**
 * A connection is open for us before the server has accepted it; Node accepts one in each turn of its event loop.
 * Without a pause for that, requests that leave together are served one after the other.
 */
const settlingMs = 40;
/** What is sent, and when. Requests are numbered from 0. */
export interface SendingPlan extends Sending {
  /** The planned moment of a request, in epoch milliseconds by the clock; undefined if there is none any more. */
  readonly plannedAt: (index: number) => number | undefined;
  /** Called when the moment has come and a connection is free: the request that is sent now. `undefined` leaves it out. */
  readonly request: (index: number) => PlannedRequest | undefined;
  /** Called with each response when its head arrives, and with each request that gets none (`status` null). */
  readonly begun?: (entry: LedgerEntry) => void;
  /** Called with each request that was sent when its response is complete, or it failed. */
  readonly settled: (entry: LedgerEntry) => void | Promise<void>;
}

/**
 * Sends each request at its planned moment, whether or not earlier ones have a response, as long as a connection is free.
 * Ends when all have ended, also if it is interrupted. Every request ends in a response or a failure; none is retried.
 */
export async function fire(plan: SendingPlan): Promise<void> {
  const { clock, signal, inTurn = false, begun = () => undefined, settled } = plan;
  const standstill = new Standstill();
  const lanes = await openLanes(plan, standstill);
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
  const underWay = new Set<Promise<unknown>>();
  // What came can no longer be kept, as the disk is full: nothing more is sent.
  const full = new AbortController();
  const over = AbortSignal.any([signal, full.signal]);

  const send = async (request: PlannedRequest, plannedAt: number, lane: Lane): Promise<void> => {
    const entry = await lane.send(request, plannedAt, begun);
    if (entry.status === null) begun(entry);
    give(lane);
    await settled(entry);
  };

  try {
    for (let index = 0; !over.aborted; index += 1) {
      const plannedAt = plan.plannedAt(index);
      if (plannedAt === undefined) break;
      const wait = plannedAt - clock.now();
      // An interruption ends the wait; the loop sees it.
      if (wait > 0) await clock.sleep(wait, over).catch(() => undefined);
      const lane = free.pop() ?? (await new Promise<Lane>((resolve) => (waiting = resolve)));
      const request = over.aborted ? undefined : plan.request(index);
      if (request) {
        const one = send(request, plannedAt, lane)
          .catch((error: unknown) => full.abort(error))
          .finally(() => underWay.delete(one));
        underWay.add(one);
        if (inTurn) await one;
      } else give(lane);
    }
    isOver = true;
    for (const lane of free) lane.close();
    await Promise.all(underWay);
    full.signal.throwIfAborted();
  } finally {
    standstill.end();
    for (const lane of lanes) lane.close();
  }
}

/** Lanes whose connections are open: a burst leaves at once, and opening them spends nothing of the key's quota. */
async function openLanes(sending: Sending, standstill: Standstill): Promise<Lane[]> {
  const { target, connections, localAddresses = [target.localAddress] } = sending;
  // It takes a tenth of a second of CPU, which a run without load is spared.
  const { Lane } = await import('./lane.js');
  const lanes = Array.from({ length: connections }, (_, index) => {
    const localAddress = localAddresses[index % localAddresses.length];
    return new Lane({ ...sending, target: { ...target, localAddress } }, standstill);
  });
  for (let first = 0; first < lanes.length; first += openedAtOnce)
    await Promise.all(lanes.slice(first, first + openedAtOnce).map((lane) => lane.open()));
  if (lanes.length > 1) await delay(settlingMs + lanes.length / 5);
  // A server in this process stood still whenever we did: its turns are counted instead.
  for (let turns = 1; turns < lanes.length; turns += 1) await turn();
  return lanes;
}

/** Requests that are sent as fast as their connections allow, in order. */
export interface VolleyOptions extends Sending {
  readonly requests: readonly PlannedRequest[];
  /**
   * Called with each response when its head arrives, and with each request that gets none (`status` null). After the
   * first `true` nothing more is sent; requests under way are waited for. The entry has its headers but not yet its body.
   */
  readonly stopAfter: (entry: LedgerEntry) => boolean;
}

/** Every request of a volley that was sent. */
export interface Ledger {
  /** In the order of sending; fewer than planned if the sender stopped. */
  readonly entries: readonly LedgerEntry[];
  /** What a reader should know of the way it was sent. */
  readonly notes: readonly string[];
}

/** The most connections to a remote target, and to one on this machine. */
const mostConnections = { remote: 200, loopback: 1_001 };

/**
 * Sends requests over connections that are open before the first request, and accounts for each. With as many
 * connections as requests they leave at once, which shows a limiter that checks and counts in two steps.
 */
export async function volley({ requests, stopAfter, ...sending }: VolleyOptions): Promise<Ledger> {
  const wanted = Math.max(1, Math.min(sending.connections, requests.length));
  const isNear = isLoopback(new URL(sending.target.baseUrl).hostname);
  const connections = Math.min(wanted, mostConnections[isNear ? 'loopback' : 'remote']);
  const entries: LedgerEntry[] = [];
  const now = sending.clock.now();
  let stopped = false;
  await fire({
    ...sending,
    connections,
    plannedAt: (index) => (stopped || index >= requests.length ? undefined : now),
    request: (index) => (stopped ? undefined : requests[index]),
    begun: (entry) => {
      stopped ||= stopAfter(entry);
    },
    settled: (entry) => void entries.push(entry),
  });
  const spared = `sent over ${connections} connections instead of ${wanted}, to spare the target`;
  return {
    entries: entries.toSorted((one, other) => one.sentAt - other.sentAt),
    notes: connections < wanted ? [spared] : [],
  };
}
