import type { Exchange } from '../../http/exchange/exchange.js';
import type { Plan } from '../../specification/plans.js';
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
  /** Requests with another valid key. */
  readonly other: readonly Observation[];
  /** The target's clock minus ours, as all `Date` headers allow; undefined if none tells it. */
  readonly clock: Interval | undefined;
}

export function historyOf(exchanges: Iterable<Exchange>, facts: LimitFacts): History {
  const { plan, caller, windowMs = 60_000 } = facts;
  const own: Observation[] = [];
  const other: Observation[] = [];
  const all: Observation[] = [];
  for (const exchange of exchanges) {
    const observation = observationOf(exchange, plan, windowMs);
    all.push(observation);
    // Requests without a valid key are counted elsewhere, or nowhere.
    if (
      exchange.credential !== 'valid' &&
      exchange.credential !== 'equivalent' &&
      exchange.credential !== 'other'
    )
      continue;
    if (observation.status === 401 || exchange.failure?.kind === 'aborted') continue;
    (isOwn(exchange, caller) ? own : other).push(observation);
  }
  return { plan, windowMs, own: sorted(own), other: sorted(other), clock: clockDifferenceOf(all) };
}

/** Records written before exchanges named their caller hold one key only. */
function isOwn({ caller, credential }: Exchange, wanted: string): boolean {
  return caller === undefined ? credential !== 'other' : caller === wanted;
}

function sorted(observations: readonly Observation[]): Observation[] {
  return observations.toSorted((a, b) => a.sentAt - b.sentAt);
}

/** Requests that overlap, as one step each. */
export function burstsOf(observations: readonly Observation[]): Burst[] {
  const bursts: Array<{ at: [number, number]; observations: Observation[] }> = [];
  for (const observation of observations) {
    const current = bursts.at(-1);
    if (current && observation.sentAt < current.at[1]) {
      current.observations.push(observation);
      current.at[1] = Math.max(current.at[1], observation.receivedAt);
    } else bursts.push({ at: [observation.sentAt, observation.receivedAt], observations: [observation] });
  }
  return bursts;
}
