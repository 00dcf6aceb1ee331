import { isLoopback } from '../../http/connection/loopback.js';
import type { Exchange } from '../../evidence/exchange.js';
import type { PlanMeasurement, TwoCounts } from '../../evidence/record/measurements.js';
import type { Plan } from '../../specification/plan.js';
import type { Interval } from '../interval.js';
import { clockDifferenceOf, isAdmitted, isServed, observationOf, type Observation } from './observation.js';
import { type WalkAround, walkAroundIn } from './left-out.js';
import { minuteMs, tolerances } from '../tolerances.js';

/**
 * Requests of one caller that are one step of a limiter: those that overlap in time, so that nobody knows in which order the
 * target took them, or some that followed each other quickly and were all admitted, Remaining falling by one at the most.
 */
export interface Burst {
  /** From the first sending to the last response. */
  readonly at: Interval;
  readonly observations: readonly Observation[];
  readonly overlapping: boolean;
}

/** Picks findings, or what was expected, by an observation of their burst. */
export function including(observation: Observation): (one: { readonly burst: Burst }) => boolean {
  return ({ burst }) => burst.observations.includes(observation);
}

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

/** Times are recorded in microseconds: milliseconds by which requests may seem to overlap. */
const rounding = 0.002;

/** Requests that are one step each, in order. */
export function burstsOf(observations: readonly Observation[]): Burst[] {
  const together: Observation[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const one of observations) {
    if (one.sentAt < end - rounding) together.at(-1)?.push(one);
    else together.push([one]);
    end = Math.max(end, one.receivedAt);
  }
  const bursts: Burst[] = [];
  for (const group of together) {
    const overlapping = group.length > 1;
    const before = overlapping ? undefined : stepBefore(bursts.at(-1), group);
    if (before) bursts.pop();
    const all = [...(before?.observations ?? []), ...group];
    const last = Math.max(...group.map(({ receivedAt }) => receivedAt));
    bursts.push({ at: [all[0]?.sentAt ?? last, last], observations: all, overlapping });
  }
  return bursts;
}

/** The step that a request belongs to, if it follows on so quickly that nothing comes back meanwhile. */
function stepBefore(burst: Burst | undefined, [next]: readonly Observation[]): Burst | undefined {
  const last = burst?.observations.at(-1);
  if (!burst || !last || !next || burst.overlapping || !followsOn(last, next)) return undefined;
  return next.receivedAt - burst.at[0] <= tolerances.stretchMs ? burst : undefined;
}

/** Whether a request used one of what the one before it left, and no more is to be learnt from it. */
function followsOn(before: Observation, next: Observation): boolean {
  const plain = [before, next].every((one) => isServed(one) && one.operation !== null);
  // A look ends just as a window may begin.
  if (before.phase === 'look' && next.phase !== 'look') return false;
  const [was, is] = [before.headers, next.headers];
  if (!plain || was.period !== is.period) return false;
  if (was.remaining === undefined || is.remaining === undefined) return was.remaining === is.remaining;
  return was.remaining - is.remaining <= 1 && was.remaining >= is.remaining;
}
