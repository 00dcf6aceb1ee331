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
  /** When it was read, by our clock. */
  readonly at: number;
  readonly least: number;
  readonly most: number;
}

/**
 * The difference of a worker's clock to the target's, at any moment, from the `Date` of its responses. No clock needs to be
 * right; they may drift apart while the load goes on.
 */
export class TargetClock {
  readonly #bounds: Bound[] = [];

  add({ date, sentAt, receivedAt }: Reading): void {
    this.#bounds.push({
      at: (sentAt + receivedAt) / 2,
      least: date - receivedAt,
      most: date + 1_000 - sentAt,
    });
  }

  /** The difference at a moment of our clock; undefined if no response had a `Date`. */
  at(moment: number): Difference | undefined {
    if (this.#bounds.length === 0) return undefined;
    let least = Number.NEGATIVE_INFINITY;
    let most = Number.POSITIVE_INFINITY;
    for (const bound of this.#bounds) {
      const drift = mostDrift * Math.abs(moment - bound.at);
      least = Math.max(least, bound.least - drift);
      most = Math.min(most, bound.most + drift);
    }
    // A server's Date may be some milliseconds old: what contradicts itself is that wide.
    return [Math.min(least, most), Math.max(least, most)];
  }

  /** The same at many moments, in ascending order, in one pass forth and one back. */
  atEach(moments: readonly number[]): Difference[] {
    const bounds = this.#bounds.toSorted((one, other) => one.at - other.at);
    const pass = (ordered: readonly Bound[], places: readonly number[], sign: 1 | -1): [number, number][] => {
      let [least, most, from, next] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 0];
      const move = (to: number): void => {
        const drift = mostDrift * Math.abs(to - from);
        [least, most, from] = [least - drift, most + drift, to];
      };
      return places.map((place) => {
        for (let bound = ordered[next]; bound && sign * bound.at <= sign * place; bound = ordered[next]) {
          move(bound.at);
          [least, most] = [Math.max(least, bound.least), Math.min(most, bound.most)];
          next += 1;
        }
        move(place);
        return [least, most];
      });
    };
    const forth = pass(bounds, moments, 1);
    const back = pass(bounds.toReversed(), moments.toReversed(), -1).toReversed();
    return forth.map(([least, most], index) => {
      const [otherLeast, otherMost] = back[index] ?? [least, most];
      const both: [number, number] = [Math.max(least, otherLeast), Math.min(most, otherMost)];
      return [Math.min(...both), Math.max(...both)];
    });
  }
}
