import type { Exchange } from '../http/exchange/exchange.js';
import type { Destination } from '../http/exchange/planned-request.js';
import { recordExchange } from '../http/exchange/record-exchange.js';
import type { LedgerEntry } from './ledger.js';

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
