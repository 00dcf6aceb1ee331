import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../http/clock/clock.js';
import { isLoopback } from '../http/connection/connector.js';
import type { PlannedRequest } from '../http/exchange/planned-request.js';
import type { Lane, LoadTarget, Sending } from './lane.js';
import { ledgerLine, type LedgerEntry } from './ledger.js';
import { Standstill } from './standstill.js';

/** Connections opened at a time, below what a server's queue of new ones usually holds (511 in Node). */
const openedAtOnce = 128;
/**
 * A connection is open for us before the server has accepted it; Node accepts one in each turn of its event loop.
 * Without a pause for that, requests that leave together are served one after the other.
 */
const settlingMs = 40;

export interface SendingPlan extends Sending {
  /** In their order. The next one is asked for when the one before it is on its way; if it is sent in turn, when it has ended. */
  readonly requests: Iterable<Planned>;
  /** Called with each request that was sent, as soon as its response is complete, or it has failed. */
  readonly settled: (entry: LedgerEntry) => void | Promise<void>;
}

interface Planned {
  /** Epoch milliseconds by the clock. */
  readonly plannedAt: number;
  /** Called when the moment has come and a connection is free: the request that is sent now. `undefined` leaves it out. */
  readonly request: () => PlannedRequest | undefined;
}

/**
 * Sends each request at its planned moment, whether or not earlier ones have a response, as long as a connection is free.
 * Ends when all have ended, also if it is interrupted. Every request ends in a response or a failure; none is retried.
 */
export async function fire(plan: SendingPlan): Promise<void> {
  const { requests, clock, signal, inTurn = false, settled } = plan;
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
    try {
      await settled(await lane.send(request, plannedAt));
    } catch (error) {
      full.abort(error);
    }
    await lane.rest();
    give(lane);
  };

  try {
    for (const { plannedAt, request: make } of requests) {
      const wait = plannedAt - clock.now();
      // An interruption ends the wait.
      if (wait > 0) await clock.sleep(wait, over).catch(() => undefined);
      const lane = free.pop() ?? (await new Promise<Lane>((resolve) => (waiting = resolve)));
      const request = over.aborted ? undefined : make();
      if (request) {
        const one = send(request, plannedAt, lane).finally(() => underWay.delete(one));
        underWay.add(one);
        if (inTurn) await one;
      } else give(lane);
      if (over.aborted) break;
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
  /** After the first `true` nothing more is sent; requests under way are waited for. By default what no limiter has admitted. */
  readonly stopAfter?: (entry: LedgerEntry) => boolean;
}

/** The most connections to a remote target, which is spared, and to one on this machine. */
const mostConnections = { remote: 200, loopback: 1_001 };

/**
 * Sends requests over connections that are open before the first request. With as many connections as requests they leave
 * at once, which shows a limiter that checks and counts in two steps. Returns what was sent, in the order of sending.
 */
export async function volley({
  requests,
  stopAfter = ({ status }) => status === null || (status >= 400 && status !== 400 && status !== 404),
  ...sending
}: VolleyOptions): Promise<LedgerEntry[]> {
  const isNear = isLoopback(new URL(sending.target.baseUrl).hostname);
  const most = Math.min(requests.length, mostConnections[isNear ? 'loopback' : 'remote']);
  const entries: LedgerEntry[] = [];
  const now = sending.clock.now();
  let stopped = false;
  await fire({
    ...sending,
    connections: Math.max(1, Math.min(sending.connections, most)),
    requests: requests.map((one) => ({ plannedAt: now, request: () => (stopped ? undefined : one) })),
    settled: (entry) => {
      entries.push(entry);
      stopped ||= stopAfter(entry);
    },
  });
  return entries.toSorted((one, other) => one.sentAt - other.sentAt);
}

/** Requests, and milliseconds between them, until Node has compiled what sends them. */
const warmingUp = 600;
const everyMs = 2 / 3;

/**
 * Sends a load to a server in this process, which counts nowhere: the first seconds of a process are slow, and would be told
 * as latency of the target, whose quota is spared.
 */
export async function warmUp(target: LoadTarget, clock: Clock, request: PlannedRequest): Promise<void> {
  const server = createServer((_, response) => response.end('[]'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const begin = clock.now();
  await fire({
    target: { ...target, baseUrl: `http://127.0.0.1:${port}`, environment: {} },
    clock,
    signal: new AbortController().signal,
    connections: 10,
    requests: Array.from({ length: warmingUp }, (_, index) => ({
      plannedAt: begin + index * everyMs,
      request: () => request,
    })),
    settled: (entry) => void ledgerLine('warm-up', entry),
  });
  server.close();
}
