import type { Clock } from '../http/clock/clock.js';
import { isLoopback } from '../http/connection/loopback.js';
import type { PlannedRequest } from '../http/exchange/planned-request.js';
import type { Lane, LoadTarget } from './lane.js';
import { openLanes, warm } from './lanes.js';
import { type Ledger, LedgerCount, type LedgerEntry } from './ledger.js';

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
  const entries: LedgerEntry[] = [];
  const count = new LedgerCount();
  const sent = (autocannon: Ledger['counts']['autocannon'], notes: string[]): Ledger => ({
    entries,
    counts: { ledger: count, autocannon },
    connections,
    notes,
  });
  if (connections === 0) return sent({ sent: 0, byStatus: {}, errors: 0 }, []);
  const [first, ...others] = (options.localAddresses ?? [target.localAddress]).map((localAddress) => ({
    ...target,
    localAddress,
  }));
  const { lanes, close } = await openLanes([first ?? target, ...others], connections, clock);
  const abort = (): void => void close();
  signal.addEventListener('abort', abort);
  let next = 0;
  let stopped = false;
  const take = (): PlannedRequest | undefined => {
    if (stopped || signal.aborted) return undefined;
    next += 1;
    return requests[next - 1];
  };
  const sendOver = async (lane: Lane, request: PlannedRequest): Promise<void> => {
    const entry = await lane.send(request, {
      closeConnection: options.closeConnections,
      onSent: (begun) => void entries.push(begun),
      onHead: (seen) => {
        stopped ||= options.stopAfter(seen);
      },
    });
    // A request without a connection was never written, but it was wanted: the ledger has it as lost.
    if (entry.connection === undefined) entries.push(entry);
    count.add(entry);
  };
  const drain = async (lane: Lane): Promise<void> => {
    for (let request = take(); request; request = take()) await sendOver(lane, request);
    // A server that serves few connections at a time can take the next one.
    lane.close();
  };
  const rotate = async (): Promise<void> => {
    for (let index = 0; ; index += 1) {
      const lane = lanes[index % lanes.length];
      const request = lane && take();
      if (!request) return;
      await sendOver(lane, request);
    }
  };
  try {
    await warm(lanes);
    await (options.inTurn ? rotate() : Promise.all(lanes.map(drain)));
  } finally {
    signal.removeEventListener('abort', abort);
  }
  const spared = `sent over ${connections} connections instead of ${wanted}, to spare the target`;
  return sent(await close(), connections < wanted ? [spared] : []);
}
