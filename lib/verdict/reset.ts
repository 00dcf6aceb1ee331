import type { Exchange } from '../evidence/exchange.js';

export type ResetJudgement =
  | { readonly kind: 'right' }
  /** `what` completes the sentence "X-RateLimit-Reset …". */
  | { readonly kind: 'wrong'; readonly what: string; readonly received: string }
  | { readonly kind: 'open'; readonly reason: string };

/** Seconds: the longest window of section 8. */
const day = 86_400;
/** Seconds that rounding may take off or add; two clocks round more. */
const graces = { oneClock: 1, twoClocks: 2 } as const;
/** Seconds by which clocks may well differ if nothing compares them. */
const unknownClock = 600;

/**
 * Whether `X-RateLimit-Reset` is a Unix timestamp of a moment that is not past and no more than a day ahead, by the
 * target's own clock (section 8). That clock is read from the response's `Date`; if it has none, from the difference
 * that the run measured.
 */
export function judgeReset(
  value: string,
  exchange: Exchange,
  clockDifference: number | null,
): ResetJudgement {
  if (!/^\d+$/.test(value)) return { kind: 'wrong', what: formOf(value), received: value };
  const reset = Number(value);
  if (reset >= 1e11)
    return {
      kind: 'wrong',
      what: reset < 1e14 ? 'is in milliseconds' : 'is not a Unix timestamp in seconds',
      received: value,
    };
  const took = exchange.timing.firstByte ?? exchange.timing.total;
  const { date } = exchange.rate;
  const grace = graces[date === undefined ? 'twoClocks' : 'oneClock'];
  const now = (date ?? exchange.receivedAt + (clockDifference ?? 0)) / 1000;
  if (reset <= day + grace && now > 1e8)
    return { kind: 'wrong', what: 'is the seconds to wait, not a timestamp', received: value };
  const ahead = reset - now;
  // The limiter may have decided when the request came, and the response may be sent after the end of the window.
  const past = -grace - took / 1000;
  if (ahead >= past && ahead <= day + grace) return { kind: 'right' };
  const compared = date !== undefined || clockDifference !== null;
  if (!compared && ahead >= -unknownClock && ahead <= day + unknownClock) {
    return {
      kind: 'open',
      reason: 'Reset is out of range or the clocks differ: the target sends no Date to compare',
    };
  }
  const received = `${value}, ${Math.abs(Math.round(ahead))} s ${ahead < 0 ? 'ago' : 'ahead'} by the target's clock`;
  return { kind: 'wrong', what: ahead < 0 ? 'is past' : 'is more than a day ahead', received };
}

function formOf(value: string): string {
  if (/^-\d+$/.test(value)) return 'is negative';
  if (/^\d+\.\d+$/.test(value)) return 'is not an integer';
  if (!Number.isNaN(Date.parse(value))) return 'is a date, not a Unix timestamp';
  return 'is not a Unix timestamp';
}
