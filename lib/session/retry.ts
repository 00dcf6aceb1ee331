import type { Clock } from '../http/clock/clock.js';

/** Repeats a request until the result is `settled`, or the time is over; returns the last result. */
export type RetryUntil = <Result>(
  request: () => Promise<Result>,
  settled: (result: Result) => boolean,
) => Promise<Result>;

/** Milliseconds before the first repeat, and how many times as long each further one waits: a quick run has few requests. */
const firstPause = 250;
const factor = 3;

/**
 * Patience with a target that shows with a delay what was created. The longest delay seen so far is waited for before the
 * first request, too, counted from the last creation.
 * @param consistencyMs milliseconds for which it may, counted from the first response
 * @param lastCreation when the target last created anything, by `clock`
 */
export function retryWithin(
  consistencyMs: number,
  clock: Clock,
  signal: AbortSignal,
  lastCreation: () => number | undefined = () => undefined,
): RetryUntil {
  let longestDelay = 0;
  return async (request, settled) => {
    const early = Math.max(0, (lastCreation() ?? 0) + longestDelay - clock.now());
    if (early > 0) await clock.sleep(early, signal);
    let result = await request();
    const begin = clock.now();
    const until = begin + consistencyMs - early;
    for (let pause = firstPause; !settled(result) && clock.now() < until; pause *= factor) {
      await clock.sleep(Math.min(pause, Math.max(1, until - clock.now())), signal);
      const delay = Math.min(clock.now() - begin + early, consistencyMs);
      result = await request();
      if (settled(result)) longestDelay = Math.max(longestDelay, delay);
    }
    return result;
  };
}
