import { isLoopback } from '../http/connection/loopback.js';
import type { PlannedRequest } from '../http/exchange/planned-request.js';
import type { Sending } from './lanes.js';
import { sumOfCounts } from '../evidence/record/measurements.js';
import type { Ledger, LedgerEntry } from './ledger.js';
import { paced } from './paced.js';

/** A volley: requests that are sent as fast as their connections allow, in order. */
export interface VolleyOptions extends Sending {
  readonly requests: readonly PlannedRequest[];
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
 * connections as requests they leave at once, which shows a limiter that checks and counts in two steps.
 */
export async function volley({ requests, stopAfter, ...sending }: VolleyOptions): Promise<Ledger> {
  const wanted = Math.min(sending.connections, requests.length);
  const near = isLoopback(new URL(sending.target.baseUrl).hostname);
  const connections = Math.min(wanted, maximumConnections[near ? 'loopback' : 'remote']);
  const none = sumOfCounts([]);
  if (connections === 0) return { entries: [], counts: { ledger: none, autocannon: none }, notes: [] };
  const entries: LedgerEntry[] = [];
  const now = sending.clock.now();
  let stopped = false;
  const sent = await paced({
    ...sending,
    connections,
    count: requests.length,
    plannedAt: () => now,
    isCutOff: true,
    request: (index) => (stopped ? undefined : requests[index]),
    begun: (entry) => {
      stopped ||= stopAfter(entry);
    },
    settled: ({ entry }) => entries.push(entry),
  });
  const spared = `sent over ${connections} connections instead of ${wanted}, to spare the target`;
  return {
    entries: entries.toSorted((one, other) => one.sentAt - other.sentAt),
    counts: sent.counts,
    notes: connections < wanted ? [spared] : [],
  };
}
