import type { Interval } from '../interval.js';

/** Stretches of so many milliseconds, one of which begins in `from`, if that is known. */
export interface Steps {
  readonly ms: number;
  readonly from: Interval | undefined;
}

/** When the stretch began in which something came. */
export function begunBy([first, last]: Interval, { ms, from }: Steps): Interval {
  if (!from) return [first - ms, last];
  const begun = (time: number, since: number): number => from[0] + Math.floor((time - since) / ms) * ms;
  return [begun(first, from[1]), begun(last, from[0])];
}
