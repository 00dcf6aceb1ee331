import type { Exchange, FailureKind } from '../http/exchange/exchange.js';
import type { Destination, PlannedRequest } from '../http/exchange/planned-request.js';
import { recordExchange } from '../http/exchange/record-exchange.js';

/** What became of one request that was sent. Times are epoch milliseconds, with fractions, by the clock handed in. */
export interface LedgerEntry {
  readonly request: PlannedRequest;
  /** The source address that its connection was bound to, if one was chosen. */
  readonly localAddress?: string | undefined;
  readonly sentAt: number;
  /** When the head of the response had come, or the failure was seen. */
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

/** Every request of a volley that was sent. */
export interface Ledger {
  /** In the order of sending; fewer than planned if the sender stopped. */
  readonly entries: readonly LedgerEntry[];
  /** Connections that requests were sent over at a time. */
  readonly connections: number;
  /** What a reader should know of the way it was sent. */
  readonly notes: readonly string[];
}

/** Whether the limiter admitted a request: its response is no error, or an error about the request's content. */
export function isAdmitted({ status }: LedgerEntry): boolean {
  return status !== null && (status < 400 || status === 400 || status === 404);
}

export function isRefused({ status }: LedgerEntry): boolean {
  return status === 429;
}

/**
 * An entry of a ledger as an exchange of the record.
 * @param waitMs Milliseconds from the planned moment to sending, if a moment was planned.
 */
export function recordedEntry(
  { request, localAddress, sentAt, at, status, headers, body, connection, failure }: LedgerEntry,
  destination: Destination,
  waitMs = 0,
): Omit<Exchange, 'id'> {
  const firstByteMs = at - sentAt;
  const response =
    status === null
      ? undefined
      : { status, headers, body, bytes: body.length, truncated: false, firstByteMs };
  const outcome = {
    sentAt,
    waitMs,
    totalMs: firstByteMs,
    connection,
    response,
    ...(failure ? { failure } : {}),
  };
  return recordExchange(request, outcome, { ...destination, localAddress });
}
