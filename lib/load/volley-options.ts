import type { Clock } from '../http/clock/clock.js';
import type { LedgerEntry } from './ledger.js';
import type { LoadTarget, PlannedRequest } from './request.js';

/** A volley: requests that are sent as fast as their connections allow, in order. */
export interface VolleyOptions {
  readonly target: LoadTarget;
  readonly requests: readonly PlannedRequest[];
  /** Requests under way at once; no more than there are requests. */
  readonly connections: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /**
   * Asked of each answer as its head arrives, and of each request that gets none (`status` null): from the first yes on
   * nothing more is sent, and what is under way lands. `headers` of the entry are there, its body is not yet.
   */
  readonly stopAfter: (entry: LedgerEntry) => boolean;
}
