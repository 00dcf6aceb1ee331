/** Every value from `least` to `most` is possible. */
export type Interval = readonly [least: number, most: number];

export const exactly = (value: number): Interval => [value, value];

export function plus([least, most]: Interval, [more, mostMore]: Interval): Interval {
  return [least + more, most + mostMore];
}

/** What both allow; undefined if they allow nothing together. */
export function both([a, b]: Interval, [c, d]: Interval): Interval | undefined {
  const least = Math.max(a, c);
  const most = Math.min(b, d);
  return least <= most ? [least, most] : undefined;
}

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
