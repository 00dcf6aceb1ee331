import { headerValues, type Exchange, type OperationName } from '../../http/exchange/exchange.js';
import { rateHeadersOf, wholeNumber } from '../../http/headers/rate-headers.js';
import type { Plan } from '../../specification/plans.js';

/**
 * `admitted`: the limiter let the request through, whatever the service made of it. `rejected`: 429. `failed`: a 5xx, or
 * another status that no operation lists; the limiter may or may not have counted it. `unknown`: no response came.
 */
export type Outcome = 'admitted' | 'rejected' | 'failed' | 'unknown';

/** What `Retry-After` says (RFC 9110 10.2.3). `date` is in epoch milliseconds by the target's clock. */
export type RetryAfter = { readonly text: string } & (
  | { readonly form: 'seconds'; readonly seconds: number }
  | { readonly form: 'date'; readonly date: number }
  | { readonly form: 'malformed' }
);

/** What the headers of section 8 say in one response, as far as they can be read. Times are epoch milliseconds by the target's clock. */
export interface LimitHeaders {
  readonly limit: number | undefined;
  readonly remaining: number | undefined;
  readonly reset: number | undefined;
  readonly retryAfter: RetryAfter | undefined;
  /** `Date`: the target's clock stood in [date, date + 1 s). */
  readonly date: number | undefined;
  /** Which of the plan's two limits Limit, Remaining and Reset describe. */
  readonly period: 'minute' | 'day' | undefined;
}

/** One exchange as the judge of limits sees it. Times are epoch milliseconds of our clock, in microsecond precision. */
export interface Observation {
  readonly id: string;
  readonly exchange: Exchange;
  readonly sentAt: number;
  /** When the head of the response had come, or the failure was seen. */
  readonly receivedAt: number;
  readonly operation: OperationName | null;
  readonly status: number | null;
  readonly outcome: Outcome;
  readonly headers: LimitHeaders;
  /** The variable that holds the key that was sent. */
  readonly caller: string;
  readonly phase: string;
  /** Requests that this observation stands for: one, or a stretch of a day's journal. */
  readonly count: number;
}

/** @param windowMs the length of the plan's "minute" */
export function observationOf(exchange: Exchange, plan: Plan, windowMs: number): Observation {
  const sentAt = epochMilliseconds(exchange.sentAt);
  const status = exchange.response?.status ?? null;
  return {
    id: exchange.id,
    exchange,
    sentAt,
    receivedAt: sentAt + (exchange.timing.firstByte ?? exchange.timing.total),
    operation: exchange.operation,
    status,
    outcome: outcomeOf(status, exchange.operation),
    headers: headersOf(exchange, plan, windowMs),
    caller: exchange.caller ?? '',
    phase: exchange.phase ?? '',
    count: 1,
  };
}

/** ISO 8601 with up to microseconds, which `Date.parse` cuts off. */
function epochMilliseconds(text: string): number {
  const micro = /\.\d{3}(\d{1,3})Z$/.exec(text)?.[1] ?? '';
  return Date.parse(text) + Number(micro.padEnd(3, '0')) / 1000;
}

const contentErrors: ReadonlySet<number> = new Set([400, 401, 404, 405, 410, 413, 414, 415, 422]);

function outcomeOf(status: number | null, operation: OperationName | null): Outcome {
  if (status === null) return 'unknown';
  if (status === 429) return 'rejected';
  if (status < 400 || contentErrors.has(status)) return 'admitted';
  // On paths that the specification does not list any 4xx is the service's own.
  return operation === null && status < 500 ? 'admitted' : 'failed';
}

function headersOf(exchange: Exchange, plan: Plan, windowMs: number): LimitHeaders {
  const { limit, remaining, reset } = rateHeadersOf(exchange);
  const dates = headerValues(exchange, 'Date');
  const parsed = Date.parse(dates.length === 1 ? (dates[0] ?? '') : '');
  const date = Number.isNaN(parsed) ? undefined : parsed;
  const resetAt = resetTime(reset, date);
  return {
    limit,
    remaining: remaining === undefined || remaining < 0 ? undefined : remaining,
    reset: resetAt,
    retryAfter: retryAfterOf(headerValues(exchange, 'Retry-After')),
    date,
    period: periodOf(limit, resetAt, date ?? epochMilliseconds(exchange.sentAt), plan, windowMs),
  };
}

/** Unix seconds, milliseconds and seconds to go differ in size for centuries, so a Reset in a wrong unit can be used all the same. */
function resetTime(value: number | undefined, date: number | undefined): number | undefined {
  if (value === undefined || value < 0) return undefined;
  if (value >= 1e9 && value < 1e11) return value * 1000;
  if (value >= 1e12 && value < 1e14) return value;
  return value < 1e6 && date !== undefined ? date + value * 1000 : undefined;
}

/** IMF-fixdate, and the two obsolete forms that recipients must read too (RFC 9110 5.6.7). */
const httpDates = [
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

function retryAfterOf(values: readonly string[]): RetryAfter | undefined {
  const [text] = values;
  if (text === undefined) return undefined;
  if (values.length > 1) return { text: values.join(', '), form: 'malformed' };
  const seconds = /^\d{1,15}$/.test(text) ? wholeNumber(text) : undefined;
  if (seconds !== undefined) return { text, form: 'seconds', seconds };
  // The third form names no zone; it is always UTC.
  const date = httpDates.some((form) => form.test(text))
    ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
    : Number.NaN;
  return Number.isNaN(date) ? { text, form: 'malformed' } : { text, form: 'date', date };
}

/** Section 8 leaves open whether the headers describe the minute or the day: the plan's limits tell, else how far ahead Reset is. */
function periodOf(
  limit: number | undefined,
  reset: number | undefined,
  now: number,
  plan: Plan,
  windowMs: number,
): LimitHeaders['period'] {
  if (plan.perMinute !== plan.perDay) {
    if (limit === plan.perMinute) return 'minute';
    if (limit === plan.perDay) return 'day';
  }
  if (limit === undefined && reset === undefined) return undefined;
  return reset !== undefined && reset - now > 1.5 * windowMs ? 'day' : 'minute';
}
