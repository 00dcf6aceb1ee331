import type { RateHeaders } from '../headers/rate-headers.js';

/** Servers refresh their `Date` by a timer of their own, so two may contradict each other by as many milliseconds. */
const staleDateMs = 1_500;

/** When a response was sent for and had come, by our clock, and the `Date` that it carries. */
interface Reading {
  readonly rate: Pick<RateHeaders, 'date'>;
  readonly sentAt: number;
  readonly receivedAt: number;
}

/**
 * How far the target's clock is from ours, from its `Date` headers (RFC 9110 6.6.1). A `Date` of whole seconds says
 * that the target's clock was in [Date, Date + 1 s) at some moment between sending and receiving. Each exchange narrows
 * the interval; hundreds of them, to a few milliseconds.
 */
export class ClockDifference {
  #least = Number.NEGATIVE_INFINITY;
  #most = Number.POSITIVE_INFINITY;
  #set = false;

  see({ rate: { date }, sentAt, receivedAt }: Reading): void {
    if (date === undefined) return;
    const least = date - receivedAt;
    const most = date + 1000 - sentAt;
    const contradicts = least > this.#most + staleDateMs || most < this.#least - staleDateMs;
    // The clock was set during the run: from here on it differs by something else.
    this.#set ||= contradicts;
    this.#least = contradicts ? least : Math.max(this.#least, least);
    this.#most = contradicts ? most : Math.min(this.#most, most);
  }

  /** The target's clock minus ours in milliseconds; undefined if no `Date` tells it, or if the clock was set. */
  get interval(): readonly [least: number, most: number] | undefined {
    if (this.#set || !Number.isFinite(this.#least)) return undefined;
    return [Math.min(this.#least, this.#most), Math.max(this.#least, this.#most)];
  }

  /** Milliseconds that the target's clock is ahead of ours now (negative: behind); null if no `Date` tells it. */
  get milliseconds(): number | null {
    return Number.isFinite(this.#least) ? Math.round((this.#least + this.#most) / 2) : null;
  }
}
