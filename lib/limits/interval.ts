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
