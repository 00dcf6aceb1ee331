/** Milliseconds by which a clock may gain or lose in a millisecond: more than any quartz does. */
const mostDrift = 0.000_5;

/** A response with a `Date`: the target's clock stood in [date, date + 1 s) at some moment between sending and receiving. */
interface Reading {
  readonly date: number;
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** The target's clock minus ours, in milliseconds: at the least and at the most. */
export type Difference = readonly [least: number, most: number];

interface Bound {
  /** The moment at which it holds, by our clock. */
  readonly at: number;
  readonly least: number;
  readonly most: number;
}

function boundOf({ date, sentAt, receivedAt }: Reading): Bound {
  return { at: (sentAt + receivedAt) / 2, least: date - receivedAt, most: date + 1_000 - sentAt };
}

/** What a bound says of another moment: the clocks may have drifted. */
function movedTo(at: number, { at: before, least, most }: Bound): Bound {
  const drift = mostDrift * Math.abs(at - before);
  return { at, least: least - drift, most: most + drift };
}

/** What two bounds of one moment say together. */
function together(one: Bound, other: Bound): Bound {
  return { at: one.at, least: Math.max(one.least, other.least), most: Math.min(one.most, other.most) };
}

/** A server's Date may be some milliseconds old: what contradicts itself is that wide. */
function differenceOf({ least, most }: Bound): Difference {
  return [Math.min(least, most), Math.max(least, most)];
}

/**
 * The difference of a worker's clock to the target's while responses come in, from their `Date`. No clock needs to be right;
 * they may drift apart while the load goes on.
 */
export class TargetClock {
  #known: Bound | undefined;

  add(reading: Reading): void {
    const bound = boundOf(reading);
    const at = Math.max(bound.at, this.#known?.at ?? bound.at);
    const moved = movedTo(at, bound);
    this.#known = this.#known ? together(movedTo(at, this.#known), moved) : moved;
  }

  /** The difference at a moment of our clock that no response was later than; undefined if none had a `Date`. */
  at(moment: number): Difference | undefined {
    return this.#known && differenceOf(movedTo(moment, this.#known));
  }
}

/** The differences at many moments, in ascending order, by all responses: in one pass forth and one back. */
export function differencesAt(moments: readonly number[], readings: readonly Reading[]): Difference[] {
  const bounds = readings.map(boundOf).toSorted((one, other) => one.at - other.at);
  const pass = (ordered: readonly Bound[], places: readonly number[], sign: 1 | -1): Bound[] => {
    let known: Bound = { at: 0, least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY };
    let next = 0;
    return places.map((place) => {
      for (let bound = ordered[next]; bound && sign * bound.at <= sign * place; bound = ordered[next]) {
        known = together(movedTo(bound.at, known), bound);
        next += 1;
      }
      known = movedTo(place, known);
      return known;
    });
  };
  const forth = pass(bounds, moments, 1);
  const back = pass(bounds.toReversed(), moments.toReversed(), -1).toReversed();
  return forth.map((one, index) => differenceOf(together(one, back[index] ?? one)));
}
