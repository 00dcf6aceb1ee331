import type { Exchange } from '../evidence/exchange.js';
import { open, passed, type Check } from './check.js';
import { checkHeader } from './verbs.js';

/** Seconds: the longest window of section 8. */
const day = 86_400;
/** Seconds that rounding may take off or add; two clocks round more. */
const graces = { oneClock: 1, twoClocks: 2 } as const;
/** Seconds by which clocks may well differ if nothing compares them. */
const unknownClock = 600;

/**
 * Checks that `X-RateLimit-Reset` is a Unix timestamp of a moment that is not past and no more than a day ahead, by the
 * target's own clock (section 8). That clock is read from the response's `Date`; if it has none, from the difference
 * that the run measured.
 */
export function checkReset(value: string, exchange: Exchange, clockDifference: number | null): Check {
  const wrong = (what: string, received = value): Check =>
    checkHeader(false, exchange, 'X-RateLimit-Reset', {
      message: `\`X-RateLimit-Reset\` ${what}`,
      expected: 'Unix seconds, from now to a day ahead',
      received,
    });
  if (!/^\d{1,11}$/.test(value)) return wrong('is not a Unix timestamp in seconds');
  const reset = Number(value);
  const { firstByte: took = exchange.timing.total } = exchange.timing;
  const { date } = exchange.rate;
  const grace = graces[date === undefined ? 'twoClocks' : 'oneClock'];
  const now = (date ?? exchange.receivedAt + (clockDifference ?? 0)) / 1000;
  if (reset <= day + grace && now > 1e8) return wrong('is the seconds to wait, not a timestamp');
  const ahead = reset - now;
  // The limiter may have decided when the request came, and the response may be sent after the end of the window.
  const past = -grace - took / 1000;
  if (ahead >= past && ahead <= day + grace) return passed;
  const isCompared = date !== undefined || clockDifference !== null;
  if (!isCompared && ahead >= -unknownClock && ahead <= day + unknownClock)
    return open('Reset is out of range or the clocks differ: the target sends no Date to compare');
  const received = `${value}, ${Math.abs(Math.round(ahead))} s ${ahead < 0 ? 'ago' : 'ahead'} by the target's clock`;
  return wrong(ahead < 0 ? 'is past' : 'is more than a day ahead', received);
}
