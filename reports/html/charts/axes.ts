/** A value of time or a number of requests as a place in a drawing. */
type Scale = (value: number) => number;

/** Two decimals are finer than any screen. */
function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

/** From zero to the most, up the drawing, with about three whole numbers marked. */
export function verticalAxis(most: number, bottom: number, top: number): { scale: Scale; ticks: number[] } {
  const rough = Math.max(1, most / 3);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([5, 2, 1].find((factor) => factor * power <= rough) ?? 1);
  return {
    scale: (value) => rounded(bottom + ((top - bottom) * value) / most),
    ticks: Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => index * step),
  };
}

/** Waits longer than this many milliseconds, and five times as long as the median wait, are cut short. */
const longWait = 1_000;
const widthOfWait = 14;
const betweenTicks = 44;

export interface TimeAxis {
  readonly scale: Scale;
  readonly ticks: readonly number[];
  /** The parts in which time is cut short, in the units of the drawing. */
  readonly waits: readonly (readonly [from: number, to: number])[];
}

/** An axis of time on which long waits between moments (in milliseconds) are cut short: a burst takes milliseconds. */
export function timeAxis(moments: readonly number[], left: number, right: number): TimeAxis {
  const times = [...new Set([0, ...moments])].toSorted((one, other) => one - other);
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  const median = gaps.toSorted((one, other) => one - other)[Math.floor(gaps.length / 2)] ?? 0;
  const isLong = (gap: number): boolean => gap > Math.max(longWait, 5 * median);
  const long = gaps.filter(isLong).length;
  const drawn = gaps.reduce((sum, gap) => sum + (isLong(gap) ? 0 : gap), 0);
  const room = right - left - long * widthOfWait;
  const waits: [number, number][] = [];
  const places = new Map([[0, left]]);
  let place = left;
  for (const [index, gap] of gaps.entries()) {
    const from = place;
    place += isLong(gap) ? widthOfWait : (room * gap) / Math.max(1, drawn);
    if (isLong(gap)) waits.push([rounded(from), rounded(place)]);
    places.set(times[index + 1] ?? 0, place);
  }
  const scale = (time: number): number => rounded(places.get(time) ?? left);
  const ticks: number[] = [];
  for (const time of times) {
    const last = ticks.at(-1);
    if (last === undefined || scale(time) - scale(last) >= betweenTicks) ticks.push(time);
  }
  return { scale, ticks, waits };
}
