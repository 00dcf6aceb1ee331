import { proxyFor } from '../http/connection/proxy.js';
import { isLoopback } from '../http/connection/tls.js';
import { autocannonVolley } from './autocannon-volley.js';
import type { Ledger } from './ledger.js';
import { poolVolley } from './pool-volley.js';
import type { LoadTarget } from './request.js';
import type { VolleyOptions } from './volley-options.js';

/** Connections that a target beyond this machine gets at the most, and one on it. */
const mostConnections = { remote: 200, loopback: 1_001 };

/** Who is to send: autocannon as long as its ledger is exact, or the pool from the start. */
export type SenderChoice = 'autocannon' | 'pool';

/**
 * Sends a volley and accounts for each of its requests. autocannon's part ends where the server closes its connections;
 * the pool then sends the rest, within the same moments, and the ledger is one. Where a request of autocannon's got no
 * answer, what it used up can't be known: the ledger is not exact, and the caller repeats the volley by the pool in a
 * fresh window.
 */
export async function volley(options: VolleyOptions & { readonly sender: SenderChoice }): Promise<Ledger> {
  const most = mostConnections[isLoopback(new URL(options.target.origin).hostname) ? 'loopback' : 'remote'];
  const connections = Math.max(1, Math.min(options.connections, most, options.requests.length));
  const notes: string[] = [];
  if (connections < Math.min(options.connections, options.requests.length)) {
    notes.push(`over ${connections} connections in the place of ${options.connections}, to spare the target`);
  }
  let { sender } = options;
  const obstacle = sender === 'autocannon' ? obstacleToAutocannon(options.target) : undefined;
  if (obstacle !== undefined) {
    sender = 'pool';
    notes.push(obstacle);
  }
  if (sender === 'pool') return noted(await poolVolley({ ...options, connections }), notes);

  let stopped = false;
  const stopAfter: VolleyOptions['stopAfter'] = (entry) => {
    stopped ||= options.stopAfter(entry);
    return stopped;
  };
  const first = await autocannonVolley({ ...options, connections, stopAfter });
  const rest = options.requests.slice(first.entries.length);
  if (stopped || !first.exact || rest.length === 0 || options.signal.aborted) return noted(first, notes);
  const second = await poolVolley({ ...options, connections, requests: rest });
  return noted(joined(first, second), notes);
}

/** Why autocannon can't be used on a target, if it can't. */
function obstacleToAutocannon({ origin, environment }: LoadTarget): string | undefined {
  const url = new URL(origin);
  if (url.protocol === 'https:')
    return 'by the undici pool: autocannon does not check certificates, and would hand the key to anyone';
  if (proxyFor(url, environment ?? {})) return 'by the undici pool: autocannon knows no proxies';
  return undefined;
}

function noted(ledger: Ledger, notes: readonly string[]): Ledger {
  return notes.length === 0 ? ledger : { ...ledger, notes: [...notes, ...ledger.notes] };
}

/** Two volleys, one after the other, as one. */
function joined(first: Ledger, second: Ledger): Ledger {
  const reasons = [first.inexact, second.inexact].filter((reason) => reason !== undefined);
  return {
    sender: 'autocannon, then undici pool',
    connections: second.connections,
    planned: first.planned,
    entries: [...first.entries, ...second.entries.map((entry) => renumbered(entry, first.entries.length))],
    exact: first.exact && second.exact,
    ...(reasons.length === 0 ? {} : { inexact: reasons.join('; ') }),
    startedAt: first.startedAt,
    endedAt: second.endedAt,
    notes: [...new Set([...first.notes, ...second.notes])],
  };
}

function renumbered(entry: Ledger['entries'][number], by: number): Ledger['entries'][number] {
  const { request, sentAt, at, status, headers, body, connection, failure } = entry;
  return {
    index: entry.index + by,
    request,
    sentAt,
    at,
    status,
    headers,
    body,
    connection,
    ...(failure ? { failure } : {}),
  };
}
