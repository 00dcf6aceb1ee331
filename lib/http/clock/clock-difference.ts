import { parseHttpDate } from '../headers/http-date.js';
import type { Exchange } from '../../evidence/exchange.js';

/** Servers refresh their `Date` by a timer of their own, so two may contradict each other by as many milliseconds. */
const staleDateMs = 1_500;

/** Milliseconds since the Unix epoch: `date` by the target's clock, the others by ours. */
export interface ClockReading {
  readonly date: number | undefined;
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

  see(exchange: Exchange): void {
    const date = parseHttpDate(exchange.headers('Date')[0] ?? '');
    this.add({ date, sentAt: exchange.sentAt, receivedAt: exchange.receivedAt });
  }

  add({ date, ...our }: ClockReading): void {
    if (date === undefined) return;
    const least = date - our.receivedAt;
    const most = date + 1000 - our.sentAt;
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
