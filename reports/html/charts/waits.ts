import type { Timeline } from './plan-timeline.js';

/** A stretch of time in which nothing was answered, in seconds since the first phase began. */
export interface Wait {
  readonly from: number;
  readonly to: number;
}

/** Shorter ones are part of the picture. */
const shortest = 1;
/** So much of what is still to be drawn a wait has to take before it is cut short. */
const share = 0.25;
const mostWaits = 8;

/**
 * The waits that leave no room for the rest: a volley of a fraction of a second beside a minute's wait for the next
 * window would be a single stroke. A steady course has none.
 */
export function longWaits({ points, seconds }: Pick<Timeline, 'points' | 'seconds'>): Wait[] {
  const gaps = points
    .map((point, index) => ({ from: points[index - 1]?.seconds ?? 0, to: point.seconds }))
    .filter(({ from, to }) => to - from >= shortest)
    .sort((one, other) => other.to - other.from - (one.to - one.from));
  const long: Wait[] = [];
  let rest = seconds;
  for (const gap of gaps) {
    const length = gap.to - gap.from;
    if (length < rest * share || long.length === mostWaits) break;
    long.push(gap);
    rest -= length;
  }
  return long.sort((one, other) => one.from - other.from);
}
