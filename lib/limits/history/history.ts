import type { Exchange } from '../../evidence/exchange.js';
import type { PlanMeasurement } from '../../evidence/record/measurements.js';
import type { OperationName } from '../../evidence/recorded-exchange.js';
import { ClockDifference } from '../../http/clock/clock-difference.js';
import { isLoopback } from '../../http/connection/connector.js';
import type { PlannedRequest } from '../../http/exchange/planned-request.js';
import { waitOf } from '../../http/headers/rate-headers.js';
import type { Plan } from '../../specification/plan.js';
import { dayMs, minuteMs, tolerances, type Interval } from '../tolerances.js';

/** What is known of the plan whose limits are judged, and of the run. All of it but the notes stands in the run record. */
export interface LimitFacts extends Pick<PlanMeasurement, 'otherCaller' | 'stopped' | 'day'> {
  readonly plan: Plan;
  /** The variable that holds the plan's key; `otherCaller` holds the second one (LIMIT-08). */
  readonly caller: string;
  readonly readOnly: boolean;
  /** The source addresses that the run was given: its vantage points (LIMIT-15). */
  readonly vantagePoints?: readonly string[] | undefined;
  /** How the probes went. */
  readonly notes?: readonly string[];
}

/** One exchange as the judge of limits sees it. Times are epoch milliseconds of our clock, in microsecond precision. */
export interface Observation extends Pick<Exchange, 'id' | 'sentAt' | 'receivedAt'> {
  readonly exchange: Exchange;
  readonly operation: OperationName | null;
  readonly status: number | null;
  /**
   * `admitted`: the limiter let the request through, whatever the service made of it. `rejected`: 429. `failed`: a 5xx, or
   * another status that no operation lists; the limiter may or may not have counted it. `unknown`: no response came.
   */
  readonly outcome: 'admitted' | 'rejected' | 'failed' | 'unknown';
  readonly headers: ReturnType<typeof headersOf>;
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

/** What remains of the minute, as it is told. */
export function remainingOf({ headers: { remaining, period } }: Observation): number | undefined {
  return period === 'minute' ? remaining : undefined;
}

/** Whether any of them tells what remains of the minute. */
export function reportsRemaining(observations: readonly Observation[]): boolean {
  return observations.some((one) => remainingOf(one) !== undefined);
}

/** The highest Remaining of the minute; 0 if none is told. */
export function highestRemaining(observations: readonly Observation[]): number {
  return Math.max(0, ...observations.map((one) => remainingOf(one) ?? 0));
}

/** What a report shows of observations. */
export function responsesOf(...observations: readonly Observation[]): Exchange[] {
  return observations.map(({ exchange }) => exchange);
}

export function observationOf(exchange: Exchange, plan: Plan): Observation {
  const { id, sentAt, receivedAt, operation, status = null, caller = '', phase = '' } = exchange;
  const outcome = outcomeOf(status, operation);
  const headers = headersOf(exchange, plan);
  return { id, exchange, sentAt, receivedAt, operation, status, outcome, headers, caller, phase };
}

/** Errors of a request's content: the limiter let it through. */
export const contentErrors: ReadonlySet<number> = new Set([400, 401, 404, 405, 410, 413, 414, 415, 422]);

function outcomeOf(status: number | null, operation: OperationName | null): Observation['outcome'] {
  if (status === null) return 'unknown';
  if (status === 429) return 'rejected';
  if (status < 400 || contentErrors.has(status)) return 'admitted';
  // On paths that the specification does not list any 4xx is the service's own.
  return operation === null && status < 500 ? 'admitted' : 'failed';
}

/** The longest window of section 8, twice. */
const mostAheadMs = 2 * dayMs;

/** What the headers of section 8 say in one response, as far as they can be used. */
function headersOf(exchange: Exchange, plan: Plan) {
  const { remaining = -1, resetAt = Infinity, ...headers } = exchange.rate;
  const { limit, date = exchange.sentAt } = headers;
  // The moment that Reset means, by the target's clock: one that is not near tells no window (RATE-03).
  const reset = Math.abs(resetAt - date) < mostAheadMs ? resetAt : undefined;
  return {
    ...headers,
    // More than the limit, or less than nothing, is no count (RATE-02).
    remaining: remaining < 0 || remaining > (limit ?? Infinity) ? undefined : remaining,
    reset,
    /** Which of the plan's two limits Limit, Remaining and Reset describe. */
    period: periodOf(limit, reset && reset - date, plan),
  };
}

/** Section 8 leaves open whether the headers describe the minute or the day: the plan's limits tell, else how far ahead Reset is. */
function periodOf(
  limit: number | undefined,
  aheadMs: number | undefined,
  { perMinute, perDay }: Plan,
): 'minute' | 'day' | undefined {
  if (perMinute !== perDay && limit === perMinute) return 'minute';
  if (perMinute !== perDay && limit === perDay) return 'day';
  if (limit === undefined && aheadMs === undefined) return undefined;
  return (aheadMs ?? 0) > 1.5 * minuteMs ? 'day' : 'minute';
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

/** All that the judge knows: the observations of one run, in the order of sending. */
export interface History {
  readonly plan: Plan;
  readonly windowMs: number;
  /** Requests with the plan's key. */
  readonly own: readonly Observation[];
  /** All other requests: with another key, or with none that is valid. */
  readonly others: readonly Observation[];
  /** Set if a forged address walks around the limit. */
  readonly walkAround?: WalkAround | undefined;
  /** The target's clock minus ours, as all `Date` headers allow; undefined if none tells it. */
  readonly clock: Interval | undefined;
}

export function historyOf(exchanges: Iterable<Exchange>, facts: LimitFacts): History {
  const { plan, caller } = facts;
  const seen = Array.from(exchanges)
    .filter(({ isEvidence }) => isEvidence)
    .map((one) => observationOf(one, plan))
    .toSorted((a, b) => a.sentAt - b.sentAt);
  const isOwn = ({ exchange, status }: Observation): boolean => isWith(exchange, caller) && status !== 401;
  const own = seen.filter(isOwn);
  const walkAround = walkAroundIn(own);
  const isUnseen = unseenIn(own);
  return {
    plan,
    windowMs: minuteMs,
    // What another counter has counted shows nothing of this one.
    own: own.filter((one) => one !== walkAround?.forged && !isUnseen(one)),
    others: seen.filter((one) => !isOwn(one)),
    walkAround,
    clock: clockDifferenceOf(seen) ?? clockOfMachine(own),
  };
}

/** Whether a request was sent with a key, which a limiter may count with `bearer KEY` or apart from it. Records written before exchanges named their caller hold one key only. */
function isWith({ caller, credential }: Exchange, wanted: string): boolean {
  if (credential !== 'valid' && credential !== 'other') return false;
  return caller === undefined ? credential !== 'other' : caller === wanted;
}

/** A target on this machine has its clock, if no Date tells another: nearly to so many milliseconds. */
function clockOfMachine([first]: readonly Observation[]): Interval | undefined {
  const isNear = first && isLoopback(new URL(first.exchange.request.url).hostname);
  return isNear && first.headers.date === undefined ? [-sameClockMs, sameClockMs] : undefined;
}
const sameClockMs = 20;

/** Which responses the limiter never saw: errors that tell nothing of a limit, from a service whose other responses do. */
function unseenIn(own: readonly Observation[]): (one: Observation) => boolean {
  const isTold = ({ headers }: Observation): boolean => headers.period !== undefined;
  const served = own.filter(isServed);
  const tells = served.length > 0 && served.every(isTold);
  return (one) => tells && isAdmitted(one) && !isServed(one) && !isTold(one);
}

/** An address of nobody (RFC 5737). */
const nobody = '198.51.100.77';

/** The headers by which a proxy tells the address of its client, and by which a client may name another one (CWE-290). */
export const forgedAddress: NonNullable<PlannedRequest['headers']> = [
  ['X-Forwarded-For', nobody],
  ['X-Real-IP', nobody],
  ['Forwarded', `for=${nobody}`],
];

/** By how much Remaining jumps back at the least, and by how much it is below the limit then at the most. */
const leastJump = 5;
const mostUsed = 3;

/** A request that names another client's address and is counted apart, and the one before it. */
export interface WalkAround {
  readonly before: Observation;
  readonly forged: Observation;
}

/**
 * Whether the limit can be walked around: Remaining jumps back to the whole limit for the request with a forged address,
 * and is where it was for the next one.
 */
export function walkAroundIn(own: readonly Observation[]): WalkAround | undefined {
  const told = own.filter((one) => isAdmitted(one) && one.headers.remaining !== undefined);
  const index = told.findIndex(({ exchange, headers: { remaining: is = 0, limit = Infinity } }, place) => {
    const [was, then] = [told[place - 1], told[place + 1]].map((one) => one?.headers.remaining ?? Infinity);
    const isForged = exchange.request.headers.some(([, value]) => value === nobody);
    return isForged && is >= limit - mostUsed && is - Math.max(was ?? is, then ?? is) >= leastJump;
  });
  const [before, forged] = told.slice(Math.max(0, index - 1));
  return index > 0 && before && forged ? { before, forged } : undefined;
}
