import type { Clock } from '../http/clock/clock.js';

/** Repeats a request until the result is `settled`, or the time is over; returns the last result. */
export type RetryUntil = <Result>(
  request: () => Promise<Result>,
  settled: (result: Result) => boolean,
) => Promise<Result>;

/** Milliseconds before the first repeat, and how many times as long each further one waits. */
const pauses = { soon: { first: 50, factor: 2 }, sparing: { first: 500, factor: 3 } } as const;

/**
 * Patience with a target that shows with a delay what was created.
 * @param consistencyMs milliseconds for which it may, counted from the first request
 * @param lastCreation if requests cost more than time: when the target last created anything, by `clock`. The longest
 * delay seen so far is then waited for, counted from that moment, before the first request.
 */
export function retryWithin(
  consistencyMs: number,
  clock: Clock,
  signal: AbortSignal,
  lastCreation?: () => number | undefined,
): RetryUntil {
  const { first, factor } = lastCreation ? pauses.sparing : pauses.soon;
  let longestDelay = 0;
  return async (request, settled) => {
    const begin = clock.now();
    const until = begin + consistencyMs;
    const early = (lastCreation?.() ?? 0) + longestDelay - begin;
    if (early > 0) await clock.sleep(early, signal);
    for (let pause: number = first, repeated = false; ; pause *= factor, repeated = true) {
      const elapsed = Math.min(clock.now() - begin, consistencyMs);
      const result = await request();
      if (settled(result)) {
        if (repeated) longestDelay = Math.max(longestDelay, elapsed);
        return result;
      }
      if (clock.now() >= until) return result;
      await clock.sleep(Math.min(pause, Math.max(1, until - clock.now())), signal);
    }
  };
}
