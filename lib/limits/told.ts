import type { Exchange } from '../http/exchange/exchange.js';
import { rateHeadersOf } from '../http/headers/rate-headers.js';
import type { RetryAfter } from '../http/headers/retry-after.js';
import type { Plan } from '../specification/plan.js';

/** How a Reset is written. Section 8 wants `seconds`; the others are read all the same, so that a run can go on. */
type ResetForm = 'seconds' | 'milliseconds' | 'seconds to go';

/** What the headers of section 8 tell in one answer, as far as they make sense. */
export interface Told {
  readonly limit?: number;
  readonly remaining?: number;
  /** `at` is in epoch milliseconds by the target's clock. */
  readonly reset?: { readonly at: number; readonly form: ResetForm };
  /** Present where the header is, however it is written. */
  readonly retryAfter?: RetryAfter;
  /** `Date`, in epoch milliseconds: the target's clock stood in [date, date + 1 s). */
  readonly date?: number;
}

/** Which of the plan's two limits an answer's headers show. */
export type View = 'minute' | 'day' | 'unknown';

export function toldBy(exchange: Exchange): Told {
  const { resetAt, ...headers } = rateHeadersOf(exchange);
  const { reset: written, ...rest } = headers;
  if (written === undefined || resetAt === undefined) return rest;
  const form = written < 1e6 ? 'seconds to go' : written < 1e11 ? 'seconds' : 'milliseconds';
  return { ...rest, reset: { at: resetAt, form } };
}

/**
 * Whether headers show the minute or the day (section 8 leaves it open): by the plan's figures, else by how far ahead
 * Reset lies.
 */
export function viewOf({ limit, reset, date }: Told, plan: Plan, windowMs: number): View {
  const ahead = reset === undefined || date === undefined ? undefined : reset.at - date;
  const beyondMinute = ahead !== undefined && ahead > windowMs + 2_000;
  if (limit !== undefined && plan.perMinute !== plan.perDay) {
    if (limit === plan.perMinute) return 'minute';
    if (limit === plan.perDay) return 'day';
  }
  if (ahead === undefined) return limit === undefined ? 'unknown' : 'minute';
  return beyondMinute ? 'day' : 'minute';
}
