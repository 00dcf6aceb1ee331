import type { Header } from '../http-message.js';
import type { Decision } from './limiter.js';
import type { Standing } from './counter.js';

/** How headers show a limiter's decision, which section 8 leaves unspecified. */
export interface RateHeaderChoice {
  /**
   * The quota that the three headers show: that of the minute (of the day when it is exhausted), that of the day, or
   * whichever leaves fewer requests. The default is `minute`.
   */
  readonly shows?: 'minute' | 'day' | 'fewest';
  /** Which way Reset is rounded to a whole second. The default is `up`: after it, the limit has been reset. */
  readonly resetRounding?: 'up' | 'down';
  /** `Retry-After` as seconds, as an HTTP date, or as the whole window's length. The default is `seconds`. */
  readonly retryAfter?: 'seconds' | 'date' | 'window';
}

/** The quota that rejects, or would reject first: the one that admits the next request later. */
function binding({ minute, day }: Decision): Standing {
  return day.admitsAt > minute.admitsAt ? day : minute;
}

const shown = {
  minute: (decision) => (decision.day.remaining === 0 ? binding(decision) : decision.minute),
  day: ({ day }) => day,
  fewest: ({ minute, day }) => (day.remaining < minute.remaining ? day : minute),
} as const satisfies Record<NonNullable<RateHeaderChoice['shows']>, (decision: Decision) => Standing>;

/** The three headers of section 8, Reset as a Unix timestamp in whole seconds. */
export function rateLimitHeaders(decision: Decision, choice: RateHeaderChoice = {}): Header[] {
  const { limit, remaining, resetsAt } = shown[choice.shows ?? 'minute'](decision);
  const seconds = choice.resetRounding === 'down' ? Math.floor(resetsAt / 1000) : Math.ceil(resetsAt / 1000);
  return [
    ['X-RateLimit-Limit', String(limit)],
    ['X-RateLimit-Remaining', String(remaining)],
    ['X-RateLimit-Reset', String(seconds)],
  ];
}

/**
 * `Retry-After` (RFC 9110 section 10.2.3) of a rejected request: not before the next one is admitted, and at least a second.
 * @param at epoch milliseconds
 * @param windowMs the length of "a minute" in milliseconds
 */
export function retryAfterHeader(
  decision: Decision,
  at: number,
  windowMs: number,
  choice: RateHeaderChoice = {},
): Header {
  const { admitsAt } = binding(decision);
  if (choice.retryAfter === 'date') {
    // The date is a whole second, and in the future even if the next request is admitted within this second.
    const date = Math.max(Math.ceil(admitsAt / 1000), Math.floor(at / 1000) + 1) * 1000;
    return ['Retry-After', new Date(date).toUTCString()];
  }
  const seconds = Math.max(1, Math.ceil((admitsAt - at) / 1000));
  if (choice.retryAfter === 'window' && binding(decision) === decision.minute) {
    return ['Retry-After', String(Math.max(seconds, Math.ceil(windowMs / 1000)))];
  }
  return ['Retry-After', String(seconds)];
}
