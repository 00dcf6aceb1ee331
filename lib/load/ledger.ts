import type { FailureKind } from '../http/exchange/exchange.js';
import type { PlannedRequest } from '../http/exchange/planned-request.js';

/** What became of one request that was sent. Times are epoch milliseconds, with fractions, by the clock handed in. */
export interface LedgerEntry {
  /** Its place in the order of sending, from 0. */
  readonly index: number;
  readonly request: PlannedRequest;
  readonly sentAt: number;
  /** When the head of the answer had come, or the failure was seen. */
  readonly at: number;
  /** `null` if there was no response. */
  readonly status: number | null;
  /** As the server spelt them, in order, repeated fields apart. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
  /** The connection that it went over (`c1`, `c2`, …), as far as the sender knows. */
  readonly connection?: string | undefined;
  readonly failure?: { readonly kind: FailureKind; readonly message: string } | undefined;
}

/** Every request of a volley, and whether that is really every one. */
export interface Ledger {
  /** Connections that requests were sent over at a time. */
  readonly connections: number;
  /** Connections that brought at least one response. */
  readonly connectionsServed: number;
  /** Requests that were planned; fewer are recorded if the sender stopped. */
  readonly planned: number;
  /** In the order of sending. */
  readonly entries: readonly LedgerEntry[];
  /** Every request sent has its answer: counts taken from this ledger are what the target did. */
  readonly exact: boolean;
  /** Why it is not exact. */
  readonly inexact?: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** What a reader should know of the way it was sent. */
  readonly notes: readonly string[];
}

/** The figures of a ledger. */
export interface LedgerCounts {
  readonly sent: number;
  /** Answered as the service answers what its limiter lets through: not with an error beyond 400 and 404. */
  readonly admitted: number;
  /** Answered with 429. */
  readonly refused: number;
  /** Answered with any other error, or not at all. */
  readonly failed: number;
  /** Requests sent after the first 429 had arrived. */
  readonly sentAfterFirst429: number;
}

/** Whether a status shows that the limiter let a request of the key through: no error, or one of its content. */
export function isAdmittedStatus(status: number | null): boolean {
  return status !== null && (status < 400 || status === 400 || status === 404);
}

export function isAdmitted(entry: LedgerEntry): boolean {
  return isAdmittedStatus(entry.status);
}

export function isRefused(entry: LedgerEntry): boolean {
  return entry.status === 429;
}

/** Counts what became of requests, in any order. */
export function countEntries(entries: readonly LedgerEntry[]): LedgerCounts {
  const firstRefusal = entries.reduce(
    (first, entry) => (isRefused(entry) ? Math.min(first, entry.at) : first),
    Number.POSITIVE_INFINITY,
  );
  const admitted = entries.filter(isAdmitted).length;
  const refused = entries.filter(isRefused).length;
  return {
    sent: entries.length,
    admitted,
    refused,
    failed: entries.length - admitted - refused,
    sentAfterFirst429: entries.filter(({ sentAt }) => sentAt > firstRefusal).length,
  };
}
