import type { RecordedExchange } from '../evidence/recorded-exchange.js';
import type { Received } from '../http/connection/reception.js';
import type { Destination, PlannedRequest } from '../http/exchange/planned-request.js';
import { recordExchange } from '../http/exchange/record-exchange.js';
import type { TwoCounts, VolleyCount } from '../evidence/record/request-counts.js';

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

/** Counts requests as autocannon counts its responses, or adds up what it has counted. */
export class LedgerCount implements VolleyCount {
  sent = 0;
  readonly byStatus: Record<string, number> = {};
  errors = 0;

  /** @param one an entry, or its line in the file */
  add(one: {
    readonly outcome: LedgerEntry['outcome'] | 'not sent';
    readonly connection?: string | undefined;
    readonly status?: number | null | undefined;
  }): void {
    if (one.connection !== undefined) this.sent += 1;
    if (one.outcome === 'lost') this.errors += 1;
    if (one.outcome === 'answered') this.#addStatus(String(one.status), 1);
  }

  addCount({ sent, byStatus, errors }: VolleyCount): void {
    this.sent += sent;
    this.errors += errors;
    for (const [status, number] of Object.entries(byStatus)) this.#addStatus(status, number);
  }

  #addStatus(status: string, number: number): void {
    this.byStatus[status] = (this.byStatus[status] ?? 0) + number;
  }
}

/** The lines of a ledger, counted; and what autocannon has counted, added up. */
export class BothCounts implements TwoCounts {
  readonly ledger = new LedgerCount();
  readonly autocannon = new LedgerCount();

  add(line: Parameters<LedgerCount['add']>[0] | Pick<TwoCounts, 'autocannon'>): void {
    if ('autocannon' in line) this.autocannon.addCount(line.autocannon);
    else this.ledger.add(line);
  }
}

/** Whether both counts of a volley are the same. If not, nothing may be judged by it. */
export function countsAgree({ ledger, autocannon }: TwoCounts): boolean {
  const statuses = new Set([...Object.keys(ledger.byStatus), ...Object.keys(autocannon.byStatus)]);
  return (
    ledger.sent === autocannon.sent &&
    ledger.errors === autocannon.errors &&
    [...statuses].every((status) => ledger.byStatus[status] === autocannon.byStatus[status])
  );
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
