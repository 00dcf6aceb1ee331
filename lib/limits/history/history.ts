import type { Exchange } from '../../http/exchange/exchange.js';
import type { Plan } from '../../specification/plan.js';
import type { Interval } from '../interval.js';
import { clockDifferenceOf } from './clock.js';
import { observationOf, type Observation } from './observation.js';

/**
 * Requests of one caller that overlap in time, so that nobody knows in which order the target took them. A request that was
 * sent alone is a burst of one.
 */
export interface Burst {
  /** From the first sending to the last response. */
  readonly at: Interval;
  readonly observations: readonly Observation[];
}

/** What is known of the plan whose limits are judged, and of the run. Everything here stands in the run record. */
export interface LimitFacts {
  readonly plan: Plan;
  /** The variable that holds the plan's key. */
  readonly caller: string;
  /** The variable that holds the second key (LIMIT-08), if one was given. */
  readonly otherCaller?: string | undefined;
  readonly readOnly: boolean;
  /** The length of "a minute" in milliseconds. By default 60,000. */
  readonly windowMs?: number | undefined;
  /** Why the run did not get to its end. */
  readonly stopped?: string | undefined;
}

/** All that the judge knows: the observations of one run, in the order of sending. */
export interface History {
  readonly plan: Plan;
  readonly windowMs: number;
  /** Requests with the plan's key. */
  readonly own: readonly Observation[];
  /** All other requests: with another key, or with none that is valid. */
  readonly others: readonly Observation[];
  /** The target's clock minus ours, as all `Date` headers allow; undefined if none tells it. */
  readonly clock: Interval | undefined;
}

export function historyOf(exchanges: Iterable<Exchange>, facts: LimitFacts): History {
  const { plan, caller, windowMs = 60_000 } = facts;
  const own: Observation[] = [];
  const others: Observation[] = [];
  for (const exchange of exchanges) {
    // What we gave up ourselves shows nothing of the target.
    if (exchange.failure?.kind === 'aborted') continue;
    const observation = observationOf(exchange, plan, windowMs);
    (isOwn(exchange, caller) && observation.status !== 401 ? own : others).push(observation);
  }
  return {
    plan,
    windowMs,
    own: sorted(own),
    others: sorted(others),
    clock: clockDifferenceOf([...own, ...others]),
  };
}

/** Records written before exchanges named their caller hold one key only. */
function isOwn({ caller, credential }: Exchange, wanted: string): boolean {
  if (credential !== 'valid' && credential !== 'equivalent' && credential !== 'other') return false;
  return caller === undefined ? credential !== 'other' : caller === wanted;
}

function sorted(observations: readonly Observation[]): Observation[] {
  return observations.toSorted((a, b) => a.sentAt - b.sentAt);
}

/** Times are recorded in microseconds: milliseconds by which requests may seem to overlap. */
const rounding = 0.002;

/** Requests that overlap, as one step each. */
export function burstsOf(observations: readonly Observation[]): Burst[] {
  const bursts: Array<{ at: [number, number]; observations: Observation[] }> = [];
  for (const observation of observations) {
    const current = bursts.at(-1);
    if (current && observation.sentAt < current.at[1] - rounding) {
      current.observations.push(observation);
      current.at[1] = Math.max(current.at[1], observation.receivedAt);
    } else bursts.push({ at: [observation.sentAt, observation.receivedAt], observations: [observation] });
  }
  return bursts;
}
