import type { Clock } from '../http/clock/clock.js';
import { isLoopback } from '../http/connection/tls.js';
import type { Ledger, LedgerEntry } from './ledger.js';
import { type LoadTarget, send } from './send.js';
import type { PlannedRequest } from '../http/exchange/planned-request.js';
import { warmLanes, type Lane } from './warm-connections.js';

/** A volley: requests that are sent as fast as their connections allow, in order. */
export interface VolleyOptions {
  readonly target: LoadTarget;
  readonly requests: readonly PlannedRequest[];
  /** Requests under way at once; no more than there are requests. */
  readonly connections: number;
  /** Source addresses that connections are bound to in turn; default that of the target's options. */
  readonly localAddresses?: readonly string[] | undefined;
  /** Sends one request at a time, each over the next connection; default false. */
  readonly inTurn?: boolean;
  /** Sends `Connection: close` with each request, for servers that can't serve many open connections; default false. */
  readonly closeConnections?: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /**
   * Called with each response when its head arrives, and with each request that gets none (`status` null). After the
   * first `true` nothing more is sent; requests under way are waited for. The entry has its headers but not yet its body.
   */
  readonly stopAfter: (entry: LedgerEntry) => boolean;
}

/** The most connections to a remote target, and to one on this machine. */
const maximumConnections = { remote: 200, loopback: 1_001 };

/**
 * Sends requests over connections that are open before the first request, and accounts for each. With as many
 * connections as requests they leave at once, which shows a limiter that checks and counts in two steps. Every request
 * ends in a response or a failure; none is retried.
 */
export async function volley(options: VolleyOptions): Promise<Ledger> {
  const { target, requests, clock, signal } = options;
  const wanted = Math.min(options.connections, requests.length);
  const maximum = maximumConnections[isLoopback(new URL(target.baseUrl).hostname) ? 'loopback' : 'remote'];
  const connections = Math.min(wanted, maximum);
  const places = (options.localAddresses ?? [target.localAddress]).map((localAddress) => ({
    ...target,
    localAddress,
  }));
  const lanes = await warmLanes(places, connections);
  const abort = (): void => {
    for (const { client } of lanes) void client.destroy();
  };
  signal.addEventListener('abort', abort);
  const entries: LedgerEntry[] = [];
  let next = 0;
  let stopped = false;
  const take = (): PlannedRequest | undefined => {
    if (stopped || signal.aborted) return undefined;
    next += 1;
    return requests[next - 1];
  };
  const sendOver = ({ client, target: place }: Lane, request: PlannedRequest): Promise<LedgerEntry> =>
    send(client, request, {
      target: place,
      clock,
      closeConnections: options.closeConnections,
      onSent: (entry) => entries.push(entry),
      onHead: (entry) => {
        stopped ||= options.stopAfter(entry);
      },
    });
  const drain = async (lane: Lane): Promise<void> => {
    for (let request = take(); request; request = take()) await sendOver(lane, request);
    // A server that serves few connections at a time can take the next one.
    await lane.client.destroy();
  };
  const rotate = async (): Promise<void> => {
    for (let turn = 0; ; turn += 1) {
      const lane = lanes[turn % lanes.length];
      const request = lane && take();
      if (!request) return;
      await sendOver(lane, request);
    }
  };
  try {
    await (options.inTurn ? rotate() : Promise.all(lanes.map(drain)));
  } finally {
    signal.removeEventListener('abort', abort);
    await Promise.all(lanes.map(({ client }) => client.destroy()));
  }
  const spared = `sent over ${connections} connections instead of ${wanted}, to spare the target`;
  return {
    entries,
    connections,
    notes: connections < wanted ? [spared] : [],
  };
}
