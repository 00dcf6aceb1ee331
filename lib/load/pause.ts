import { parseRateHeaders, waitOf } from '../http/headers/rate-headers.js';
import type { LedgerEntry } from './ledger.js';

type SeenResponse = Pick<LedgerEntry, 'status' | 'sentAt' | 'at' | 'headers' | 'failure'>;

/** Milliseconds of the longest pause that a 429 may ask for. */
const longestPause = 600_000;

/** Until when nothing is sent after a 429: as long as it asks (section 8.2), and longer each time that is not enough (8.3). */
export class Pause {
  /** Epoch milliseconds. */
  until = 0;
  #inARow = 0;

  see({ status, sentAt, at, headers, failure }: SeenResponse): void {
    if (status !== 429) {
      if (status !== null && status < 400 && !failure) this.#inARow = 0;
      return;
    }
    // Several requests may have been under way when the first was rejected: they count once.
    if (sentAt < this.until) return;
    this.#inARow += 1;
    // A date is compared with the target's clock, which may be wrong.
    const { date, retryAfter } = parseRateHeaders(headers);
    const asked = waitOf(retryAfter, date ?? at) ?? 0;
    const backoff = 1_000 * 2 ** Math.min(this.#inARow - 1, 6);
    this.until = at + Math.min(longestPause, Math.max(asked, backoff));
  }
}
