import { parseTimestamp } from './clock.js';
import { headerValues, type Exchange } from '../exchange/exchange.js';

/**
 * How far the target's clock is from ours, from its `Date` headers (RFC 9110 6.6.1). A `Date` of whole seconds says
 * that the target's clock stood in [Date, Date + 1 s) at some moment between sending and arrival; each exchange narrows
 * the interval.
 */
export class ClockDifference {
  #least = Number.NEGATIVE_INFINITY;
  #most = Number.POSITIVE_INFINITY;

  see(exchange: Exchange): void {
    const stated = Date.parse(headerValues(exchange, 'date')[0] ?? '');
    if (Number.isNaN(stated)) return;
    const sent = parseTimestamp(exchange.sentAt);
    const arrived = sent + (exchange.timing.firstByte ?? exchange.timing.total);
    const least = stated - arrived;
    const most = stated + 1000 - sent;
    // A clock that was set during the run: what came last counts.
    const disjoint = least > this.#most + 1000 || most < this.#least - 1000;
    this.#least = disjoint ? least : Math.max(this.#least, least);
    this.#most = disjoint ? most : Math.min(this.#most, most);
  }

  /** Milliseconds that the target's clock is ahead of ours (negative: behind); null where no `Date` told it. */
  get milliseconds(): number | null {
    if (!Number.isFinite(this.#least) || !Number.isFinite(this.#most)) return null;
    return Math.round((this.#least + this.#most) / 2);
  }
}
