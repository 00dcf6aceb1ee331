import { Exchange } from '../../evidence/exchange.js';
import { type OperationName } from '../../evidence/recorded-exchange.js';
import { ClockDifference } from '../../http/clock/clock-difference.js';
import { type RateHeaders, waitOf } from '../../http/headers/rate-headers.js';
import type { Plan } from '../../specification/plan.js';
import type { Interval } from '../interval.js';
import { minuteMs, tolerances } from '../tolerances.js';

/**
 * `admitted`: the limiter let the request through, whatever the service made of it. `rejected`: 429. `failed`: a 5xx, or
 * another status that no operation lists; the limiter may or may not have counted it. `unknown`: no response came.
 */
type Outcome = 'admitted' | 'rejected' | 'failed' | 'unknown';

/** What the headers of section 8 say in one response, as far as they can be used. */
interface LimitHeaders extends Omit<RateHeaders, 'remaining' | 'reset' | 'resetAt'> {
  readonly remaining?: number | undefined;
  /** The moment that Reset means, by the target's clock. */
  readonly reset?: number | undefined;
  /** Which of the plan's two limits Limit, Remaining and Reset describe. */
  readonly period?: 'minute' | 'day' | undefined;
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
}

export function isAdmitted({ outcome }: Pick<Observation, 'outcome'>): boolean {
  return outcome === 'admitted';
}

export function isRejected({ outcome }: Pick<Observation, 'outcome'>): boolean {
  return outcome === 'rejected';
}

/** Admitted, and no error, which may use nothing of the limit. */
export function isServed({ status }: Pick<Observation, 'status'>): boolean {
  return status !== null && status < 400;
}

/** Whether any of them tells what remains of the minute. */
export function reportsRemaining(observations: readonly Observation[]): boolean {
  return observations.some(({ headers }) => headers.remaining !== undefined && headers.period === 'minute');
}

/** The highest Remaining of the minute; 0 if none is told. */
export function highestRemaining(observations: readonly Observation[]): number {
  return Math.max(
    0,
    ...observations.map(({ headers }) => (headers.period === 'minute' && headers.remaining) || 0),
  );
}

/** What a report shows of observations. */
export function responsesOf(...observations: readonly Observation[]): Exchange[] {
  return observations.map(({ exchange }) => exchange);
}

export function observationOf(exchange: Exchange, plan: Plan): Observation {
  const status = exchange.response?.status ?? null;
  return {
    id: exchange.id,
    exchange,
    sentAt: exchange.sentAt,
    receivedAt: exchange.receivedAt,
    operation: exchange.operation,
    status,
    outcome: outcomeOf(status, exchange.operation),
    headers: headersOf(exchange, plan),
    caller: exchange.caller ?? '',
    phase: exchange.phase ?? '',
  };
}

/** Errors of a request's content: the limiter let it through. */
export const contentErrors: ReadonlySet<number> = new Set([400, 401, 404, 405, 410, 413, 414, 415, 422]);

function outcomeOf(status: number | null, operation: OperationName | null): Outcome {
  if (status === null) return 'unknown';
  if (status === 429) return 'rejected';
  if (status < 400 || contentErrors.has(status)) return 'admitted';
  // On paths that the specification does not list any 4xx is the service's own.
  return operation === null && status < 500 ? 'admitted' : 'failed';
}

function headersOf(exchange: Exchange, plan: Plan): LimitHeaders {
  const { remaining = -1, resetAt, ...headers } = exchange.rate;
  const { limit, date = exchange.sentAt } = headers;
  // What is no moment near this one tells no window (RATE-03).
  const reset = Math.abs((resetAt ?? Infinity) - date) < mostAheadMs ? resetAt : undefined;
  return {
    ...headers,
    // More than the limit, or less than nothing, is no count (RATE-02).
    remaining: remaining < 0 || remaining > (limit ?? Infinity) ? undefined : remaining,
    reset,
    period: periodOf(limit, reset, date, plan),
  };
}

/** The longest window of section 8, twice. */
const mostAheadMs = 2 * 86_400_000;

/** Section 8 leaves open whether the headers describe the minute or the day: the plan's limits tell, else how far ahead Reset is. */
function periodOf(
  limit: number | undefined,
  reset: number | undefined,
  now: number,
  plan: Plan,
): LimitHeaders['period'] {
  if (plan.perMinute !== plan.perDay) {
    if (limit === plan.perMinute) return 'minute';
    if (limit === plan.perDay) return 'day';
  }
  if (limit === undefined && reset === undefined) return undefined;
  return reset !== undefined && reset - now > 1.5 * minuteMs ? 'day' : 'minute';
}

/** The target's clock minus ours, in milliseconds; undefined if no `Date` tells it, or if the clock was set during the run. */
export function clockDifferenceOf(observations: readonly Observation[]): Interval | undefined {
  const difference = new ClockDifference();
  for (const { headers: rate, sentAt, receivedAt } of observations)
    difference.see({ rate, sentAt, receivedAt });
  return difference.interval;
}

/** By so much a `Date` may lag that a server keeps for a while, and writes from a timer. */
const lagMs = 2_000;

/** The target's clock minus ours, if its `Date` lags; undefined if it is unknown, or if both clocks agree, so that none does. */
export function laggingClock(clock: Interval | undefined): Interval | undefined {
  if (!clock || (clock[0] <= 0 && clock[1] >= 0)) return undefined;
  return [clock[0], clock[1] + lagMs];
}

/**
 * When a client that does as `Retry-After` says sends again, by our clock; undefined if it says nothing usable. A date by an
 * unknown clock says nothing; of what a known one leaves open, this is the latest moment.
 */
export function waitEnds(
  { receivedAt, headers: { retryAfter } }: Observation,
  clock: Interval | undefined,
): number | undefined {
  if (retryAfter?.form === 'date' && !clock) return undefined;
  const wait = waitOf(retryAfter, receivedAt + (clock?.[0] ?? 0)) ?? 0;
  return wait > 0 ? receivedAt + wait : undefined;
}

/** Whether a 429 asks for a longer wait than the minute's window. */
export function asksBeyondMinute(one: Observation, clock: Interval | undefined): boolean {
  return (waitEnds(one, clock) ?? 0) > one.receivedAt + minuteMs + tolerances.longestWaitMs;
}
