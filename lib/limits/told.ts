import { headerValues, type Exchange } from '../http/exchange/exchange.js';
import { wholeNumber } from '../http/headers/rate-headers.js';
import type { Plan } from '../specification/plans.js';

/** What `Retry-After` says (RFC 9110 10.2.3). Dates are epoch milliseconds by the target's clock. */
type RetryAfter =
  | { readonly form: 'seconds'; readonly seconds: number }
  | { readonly form: 'date'; readonly date: number }
  | { readonly form: 'malformed' };

/** How a Reset is written. Section 8 wants `seconds`; the others are read all the same, so that a run can go on. */
type ResetForm = 'seconds' | 'milliseconds' | 'seconds to go';

/** What the headers of section 8 tell in one answer, as far as they make sense. */
export interface Told {
  readonly limit?: number;
  readonly remaining?: number;
  /** `at` is in epoch milliseconds by the target's clock. */
  readonly reset?: { readonly at: number; readonly form: ResetForm };
  /** Present where the header is, however it is written. */
  readonly retryAfter?: RetryAfter & { readonly text: string };
  /** `Date`, in epoch milliseconds: the target's clock stood in [date, date + 1 s). */
  readonly date?: number;
}

/** Which of the plan's two limits an answer's headers show. */
export type View = 'minute' | 'day' | 'unknown';

export function toldBy(exchange: Exchange): Told {
  const single = (name: string): string | undefined => {
    const values = headerValues(exchange, name);
    return values.length === 1 ? values[0] : undefined;
  };
  const limit = wholeNumber(single('X-RateLimit-Limit'));
  const remaining = wholeNumber(single('X-RateLimit-Remaining'));
  const date = Date.parse(single('Date') ?? '');
  const reset = readReset(single('X-RateLimit-Reset'), Number.isNaN(date) ? undefined : date);
  const retryAfter = headerValues(exchange, 'Retry-After');
  return {
    ...(limit === undefined ? {} : { limit }),
    ...(remaining === undefined ? {} : { remaining }),
    ...(reset === undefined ? {} : { reset }),
    ...(retryAfter.length === 0
      ? {}
      : { retryAfter: { ...readRetryAfter(retryAfter), text: retryAfter.join(', ') } }),
    ...(Number.isNaN(date) ? {} : { date }),
  };
}

/** Reads a Reset by its size, which tells Unix seconds, milliseconds and seconds to go apart for centuries. */
function readReset(text: string | undefined, date: number | undefined): Told['reset'] {
  const value = wholeNumber(text);
  if (value === undefined || value < 0) return undefined;
  if (value >= 1e9 && value < 1e11) return { at: value * 1000, form: 'seconds' };
  if (value >= 1e12 && value < 1e14) return { at: value, form: 'milliseconds' };
  if (value < 1e6 && date !== undefined) return { at: date + value * 1000, form: 'seconds to go' };
  return undefined;
}

/** IMF-fixdate, and the two obsolete forms that recipients have to read too (RFC 9110 5.6.7). */
const httpDates = [
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

function readRetryAfter(values: readonly string[]): RetryAfter {
  const [text = ''] = values;
  if (values.length !== 1) return { form: 'malformed' };
  if (/^\d{1,15}$/.test(text)) return { form: 'seconds', seconds: Number(text) };
  // The third form names no zone; it is always UTC.
  const date = httpDates.some((form) => form.test(text))
    ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
    : Number.NaN;
  return Number.isNaN(date) ? { form: 'malformed' } : { form: 'date', date };
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
