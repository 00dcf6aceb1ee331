import { isDeepStrictEqual } from 'node:util';
import type { RecordedExchange } from '../evidence/recorded-exchange.js';
import type { Received } from '../http/connection/reception.js';
import type { Destination, PlannedRequest } from '../http/exchange/planned-request.js';
import { recordExchange } from '../http/exchange/record-exchange.js';
import type { TwoCounts, VolleyCount } from '../evidence/record/measurements.js';

/** What became of one request that was to be sent. */
export interface LedgerEntry extends Received {
  readonly request: PlannedRequest;
  /** The source address that its connection was bound to, if one was chosen. */
  readonly localAddress?: string | undefined;
  /** `lost` for a reason that `failure` tells: no response came, or not all of it. */
  readonly outcome: 'answered' | 'lost';
}

/** Every request of a volley that was sent. */
export interface Ledger {
  /** In the order of sending; fewer than planned if the sender stopped. */
  readonly entries: readonly LedgerEntry[];
  readonly counts: TwoCounts;
  /** What a reader should know of the way it was sent. */
  readonly notes: readonly string[];
}

/** What autocannon has to count of a request. */
export function countOf({ outcome, connection, status }: LedgerEntry): VolleyCount {
  return {
    sent: connection === undefined ? 0 : 1,
    byStatus: outcome === 'answered' ? { [String(status)]: 1 } : {},
    errors: outcome === 'lost' ? 1 : 0,
  };
}

/** Whether both counts of a volley are the same. If not, nothing may be judged by it. */
export function countsAgree({ ledger, autocannon }: TwoCounts): boolean {
  return isDeepStrictEqual(ledger, autocannon);
}

/** Whether the limiter admitted a request: its response is no error, or an error about the request's content. */
export function isAdmitted({ status }: Pick<LedgerEntry, 'status'>): boolean {
  return status !== null && (status < 400 || status === 400 || status === 404);
}

export function isRefused({ status }: Pick<LedgerEntry, 'status'>): boolean {
  return status === 429;
}

/**
 * An entry of a ledger as an exchange of the record.
 * @param waitMs Milliseconds from the planned moment to sending, if a moment was planned.
 */
export function recordedEntry(
  entry: LedgerEntry,
  destination: Destination,
  waitMs = 0,
): Omit<RecordedExchange, 'id'> {
  const { request, localAddress } = entry;
  return recordExchange(request, entry, { ...destination, localAddress }, waitMs);
}
