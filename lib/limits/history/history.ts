import { isLoopback } from '../../http/connection/loopback.js';
import type { Exchange } from '../../evidence/exchange.js';
import type { PlanMeasurement, TwoCounts } from '../../evidence/record/measurements.js';
import type { Plan } from '../../specification/plan.js';
import type { Interval } from '../interval.js';
import type { PlannedRequest } from '../../http/exchange/planned-request.js';
import { minuteMs } from '../tolerances.js';
import {
  asksBeyondMinute,
  clockDifferenceOf,
  isAdmitted,
  isRejected,
  isServed,
  observationOf,
  waitEnds,
  type Observation,
} from './observation.js';

/** What is known of the plan whose limits are judged, and of the run. Everything here stands in the run record. */
export interface LimitFacts {
  readonly plan: Plan;
  /** The variable that holds the plan's key. */
  readonly caller: string;
  /** The variable that holds the second key (LIMIT-08), if one was given. */
  readonly otherCaller?: string | undefined;
  readonly readOnly: boolean;
  /** The source addresses that the run was given: its vantage points (LIMIT-15). */
  readonly vantagePoints?: readonly string[] | undefined;
  /** Why the probes did not get to their end. */
  readonly stopped?: string | undefined;
  /** The probes as the ledger and autocannon have counted them. */
  readonly counts?: TwoCounts | undefined;
  /** What was counted of the day (LIMIT-10). */
  readonly day?: PlanMeasurement['day'];
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
  const own: Observation[] = [];
  const others: Observation[] = [];
  for (const exchange of exchanges) {
    if (!exchange.isEvidence) continue;
    const observation = observationOf(exchange, plan);
    const isCounted = isOwn(exchange, caller) && observation.status !== 401;
    (isCounted ? own : others).push(observation);
  }
  const walkAround = walkAroundIn(own);
  const isUnseen = unseenIn(own);
  return {
    plan,
    windowMs: minuteMs,
    // What another counter has counted shows nothing of this one.
    own: sorted(own.filter((one) => one !== walkAround?.forged && !isUnseen(one))),
    others: sorted(others),
    walkAround,
    clock: clockDifferenceOf([...own, ...others]) ?? clockOfMachine(own),
  };
}

/** A target on this machine has its clock, if no Date tells another. */
function clockOfMachine([first]: readonly Observation[]): Interval | undefined {
  const isNear = first && isLoopback(new URL(first.exchange.request.url).hostname);
  const isSilent = first?.headers.date === undefined;
  return isNear && isSilent ? [-sameClockMs, sameClockMs] : undefined;
}
const sameClockMs = 20;

/** Which responses the limiter never saw: errors that tell nothing of a limit, from a service whose other responses do. */
function unseenIn(own: readonly Observation[]): (one: Observation) => boolean {
  const isTold = ({ headers }: Observation): boolean => headers.period !== undefined;
  const served = own.filter(isServed);
  const tells = served.length > 0 && served.every(isTold);
  return (one) => tells && isAdmitted(one) && !isServed(one) && !isTold(one);
}

/** Records written before exchanges named their caller hold one key only. */
function isOwn({ caller, credential }: Exchange, wanted: string): boolean {
  // A limiter may count `bearer KEY` with the key or apart from it.
  if (credential !== 'valid' && credential !== 'other') return false;
  return caller === undefined ? credential !== 'other' : caller === wanted;
}

function sorted(observations: readonly Observation[]): Observation[] {
  return observations.toSorted((a, b) => a.sentAt - b.sentAt);
}

/** Requests in spite of a 429 before which a longer wait is the window's own mistake (LIMIT-04), and no ban. */
const ignoredFirst = 2;

/**
 * The times in which the key was banned because requests went on in spite of 429s, which section 8.3 allows: the first 429s
 * ask for no more than a window, and a later one for longer.
 */
export function bansIn({ own, clock }: Pick<History, 'own' | 'clock'>): Interval[] {
  const bans: Interval[] = [];
  let ignored = 0;
  for (const one of own) {
    if (isAdmitted(one)) ignored = 0;
    if (!isRejected(one) || one.headers.period === 'day') continue;
    if (!asksBeyondMinute(one, clock)) ignored += 1;
    else if (ignored > ignoredFirst) bans.push([one.receivedAt, waitEnds(one, clock) ?? 0]);
  }
  return bans;
}

/** A history without the rejections that are not the minute's: those of a banned key, and those by the day's limit. */
export function ofTheMinute(history: History): History {
  const bans = bansIn(history);
  const isOther = (one: Observation): boolean =>
    isRejected(one) &&
    (isOfDay(one, history) || bans.some(([from, to]) => one.receivedAt >= from && one.sentAt < to));
  const own = history.own.filter((one) => !isOther(one));
  return own.length < history.own.length ? { ...history, own } : history;
}

/** Whether a rejection says that the day's limit was reached. */
function isOfDay(one: Observation, { plan, clock }: History): boolean {
  const { period, remaining } = one.headers;
  return (
    plan.perDay !== plan.perMinute && period === 'day' && remaining === 0 && asksBeyondMinute(one, clock)
  );
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
  for (const [index, forged] of told.entries()) {
    if (!forged.exchange.request.headers.some(([, value]) => value === nobody)) continue;
    const [before, after] = [told[index - 1], told[index + 1]];
    const [was, is = 0, then] = [before, forged, after].map((one) => one?.headers.remaining);
    if (!before || was === undefined || then === undefined) continue;
    const isFresh = is >= (forged.headers.limit ?? Number.POSITIVE_INFINITY) - mostUsed;
    if (isFresh && is - was >= leastJump && is - then >= leastJump) return { before, forged };
  }
  return undefined;
}
