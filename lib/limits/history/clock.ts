import { ClockDifference } from '../../http/clock/clock-difference.js';
import { waitOf } from '../../http/headers/retry-after.js';
import type { Interval } from '../interval.js';
import type { Observation } from './observation.js';

/** The target's clock minus ours, in milliseconds; undefined if no `Date` tells it, or if the clock was set during the run. */
export function clockDifferenceOf(observations: readonly Observation[]): Interval | undefined {
  const difference = new ClockDifference();
  for (const { headers, sentAt, receivedAt } of observations)
    difference.add({ date: headers.date, sentAt, receivedAt });
  return difference.interval;
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
