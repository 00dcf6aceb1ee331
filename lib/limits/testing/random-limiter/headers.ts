import { minute, whenRoom, type Counter } from './counters.js';
import { minuteEnd, type RandomLimiter } from './random-limiter.js';

/** The length of a day. */
export const dayMs = 1_440 * minute;

/** The two limits of a caller. */
export interface Counters {
  readonly minute: Counter;
  readonly day: Counter;
  readonly perMinute: number;
  readonly perDay: number;
}

/** What the limiter makes of a request. */
export interface Decision {
  readonly admitted: boolean;
  /** By the limiter's clock, in milliseconds. */
  readonly at: number;
  /** What was left before the request was counted. */
  readonly before: Readonly<Record<'minute' | 'day', number>>;
}

/** `X-RateLimit-*`, and `Retry-After` if the request was rejected. */
export function headersOf(
  limiter: RandomLimiter,
  counters: Counters,
  { admitted, at, before }: Decision,
): Record<string, string> {
  const left = { minute: counters.minute.room(at), day: counters.day.room(at) };
  const isFewer = limiter.shows === 'fewest' && left.day < left.minute;
  const shown = limiter.shows === 'day' || isFewer || left.day === 0 ? 'day' : 'minute';
  const reset = shown === 'day' ? dayEnd(limiter, counters, at) : resetOf(limiter, counters, at);
  const round = { up: Math.ceil, down: Math.floor, nearest: Math.round }[limiter.resetRounding];
  return {
    'X-RateLimit-Limit': String(shown === 'day' ? counters.perDay : counters.perMinute),
    ...(limiter.remaining !== 'absent' && {
      'X-RateLimit-Remaining': String((limiter.remaining === 'before' ? before : left)[shown]),
    }),
    'X-RateLimit-Reset': String(round(reset / 1_000)),
    ...(!admitted && { 'Retry-After': retryAfterOf(limiter, counters, at) }),
  };
}

function resetOf(limiter: RandomLimiter, { minute: counter, perMinute }: Counters, at: number): number {
  const { reset } = limiter;
  if (reset === 'minute') return minuteEnd(limiter, at);
  const wanted = reset === 'whole' ? perMinute : Math.min(perMinute, counter.room(at) + 1);
  return whenRoom(counter, wanted, at, 3 * minute);
}

function dayEnd({ dayBegins }: RandomLimiter, { day: counter, perDay }: Counters, at: number): number {
  return dayBegins === 'clock'
    ? (Math.floor(at / dayMs) + 1) * dayMs
    : whenRoom(counter, perDay, at, dayMs + minute);
}

/** Never too early: a client that waits for it is served, unless another client comes first. */
function retryAfterOf(limiter: RandomLimiter, counters: Counters, at: number): string {
  const next = Math.max(
    whenRoom(counters.minute, 1, at, 3 * minute),
    whenRoom(counters.day, 1, at, dayMs + minute),
  );
  const seconds = Math.max(1, Math.ceil((next - at) / 1_000));
  switch (limiter.retryAfter) {
    case 'seconds':
      return String(seconds);
    case 'more':
      // Not longer than the window lasts.
      return String(Math.max(seconds, Math.min(minute / 1_000, seconds + 1)));
    case 'window':
      return String(Math.max(seconds, minute / 1_000));
    case 'reset':
      return String(
        Math.max(
          seconds,
          Math.ceil((whenRoom(counters.minute, counters.perMinute, at, 3 * minute) - at) / 1_000),
        ),
      );
    case 'date':
      return new Date((Math.floor(at / 1_000) + seconds + 1) * 1_000).toUTCString();
  }
}
