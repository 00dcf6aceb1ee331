import { ClockDifference } from '../http/clock/clock-difference.js';
import type { Seen } from './seen.js';

/**
 * How far the target's clock is ahead of ours, in milliseconds, as an interval: each `Date` of whole seconds says that
 * the target's clock stood in [Date, Date + 1 s) at some moment between sending and arrival. Hundreds of answers over
 * more than a second narrow it to a few milliseconds.
 */
export interface ClockDifferenceInterval {
  readonly least: number;
  readonly most: number;
}

/** `undefined` where no `Date` tells it, or where the clock jumped so that they contradict each other. */
export function clockDifferenceOf(answers: readonly Seen[]): ClockDifferenceInterval | undefined {
  const difference = new ClockDifference();
  for (const { told, sentAt, at } of answers) difference.add({ date: told.date, sentAt, receivedAt: at });
  return difference.interval && { least: difference.interval[0], most: difference.interval[1] };
}

/** The middle of the interval, 0 where nothing is known: then our clock is the only one there is. */
export function clockDifference(interval: ClockDifferenceInterval | undefined): number {
  return interval === undefined ? 0 : (interval.least + interval.most) / 2;
}
