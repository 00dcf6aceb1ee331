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
  let least = Number.NEGATIVE_INFINITY;
  let most = Number.POSITIVE_INFINITY;
  for (const { told, sentAt, at } of answers) {
    if (told.date === undefined) continue;
    least = Math.max(least, told.date - at);
    most = Math.min(most, told.date + 1000 - sentAt);
  }
  if (!Number.isFinite(least) || !Number.isFinite(most)) return undefined;
  if (least <= most) return { least, most };
  // Servers refresh their Date once a second by a timer of their own: a few hundred milliseconds of contradiction.
  return least - most <= 1_500 ? { least: most, most: least } : undefined;
}

/** The middle of the interval, 0 where nothing is known: then our clock is the only one there is. */
export function clockDifference(interval: ClockDifferenceInterval | undefined): number {
  return interval === undefined ? 0 : (interval.least + interval.most) / 2;
}
