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
 * Patience with a target that shows with a delay what was created.
 * @param consistencyMs milliseconds for which it may, counted from the first response
 */
export function retryWithin(consistencyMs: number, clock: Clock, signal: AbortSignal): RetryUntil {
  return async (request, settled) => {
    let result = await request();
    const until = clock.now() + consistencyMs;
    for (let pause = firstPause; !settled(result) && clock.now() < until; pause *= factor) {
      await clock.sleep(Math.min(pause, Math.max(1, until - clock.now())), signal);
      result = await request();
    }
    return result;
  };
}
