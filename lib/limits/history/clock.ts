import { ClockDifference } from '../../http/clock/clock-difference.js';
import type { Interval } from '../interval.js';
import type { Observation } from './observation.js';

/** The target's clock minus ours, in milliseconds; undefined if no `Date` tells it, or if the clock was set during the run. */
export function clockDifferenceOf(observations: readonly Observation[]): Interval | undefined {
  const difference = new ClockDifference();
  for (const { headers, sentAt, receivedAt } of observations)
    difference.add({ date: headers.date, sentAt, receivedAt });
  return difference.interval;
}
