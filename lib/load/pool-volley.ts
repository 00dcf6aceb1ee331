import type { Client } from 'undici';
import { LedgerWriter } from './ledger-writer.js';
import type { Ledger } from './ledger.js';
import type { PlannedRequest } from './request.js';
import { send, type Sending } from './send.js';
import type { VolleyOptions } from './volley-options.js';
import { warmClients } from './warm-connections.js';

/**
 * Sends a volley over undici clients of one connection each, all connected before the first request. With as many
 * connections as requests they leave at once, which shows a limiter that looks and counts in two steps more surely than
 * anything else that was tried. Every request that is sent ends in an answer or a failure of its own; none is repeated.
 */
export async function poolVolley(options: VolleyOptions): Promise<Ledger> {
  const { requests, clock, signal } = options;
  const connections = Math.min(options.connections, requests.length);
  const clients = await warmClients(options.target, connections);
  const writer = new LedgerWriter('undici pool', connections, requests.length, clock);
  const abort = (): void => {
    for (const client of clients) void client.destroy();
  };
  signal.addEventListener('abort', abort);
  let next = 0;
  let stopped = false;
  const answered: Sending['answered'] = (entry) => {
    stopped ||= options.stopAfter(entry);
  };
  const take = (): PlannedRequest | undefined => {
    if (stopped || signal.aborted) return undefined;
    next += 1;
    return requests[next - 1];
  };
  /** Sends on this connection until the requests or the permission to send end. */
  const run = async (client: Client): Promise<void> => {
    for (let request = take(); request; request = take()) {
      await send(client, request, { writer, timeoutMs: options.target.timeoutMs, answered });
    }
  };
  try {
    await Promise.all(clients.map(run));
  } finally {
    signal.removeEventListener('abort', abort);
    await Promise.all(clients.map((client) => client.destroy()));
  }
  return writer.close();
}
