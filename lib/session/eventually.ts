import type { Clock } from '../http/clock.js';

/** Asks again until `settled` says that the answer will do, or the time is over; returns the last answer. */
export type Eventually = <Result>(
  ask: () => Promise<Result>,
  settled: (result: Result) => boolean,
) => Promise<Result>;

/** Milliseconds before the first repeat; each further one waits twice as long. */
const firstPause = 50;

/**
 * Patience with a target that shows what was created with a delay.
 * @param consistencyMs milliseconds for which it may, counted from the first time that it is asked
 */
export function eventuallyWithin(consistencyMs: number, clock: Clock, signal: AbortSignal): Eventually {
  return async (ask, settled) => {
    const until = clock.now() + consistencyMs;
    for (let pause = firstPause; ; pause *= 2) {
      const result = await ask();
      if (settled(result) || clock.now() >= until) return result;
      await clock.sleep(Math.min(pause, Math.max(1, until - clock.now())), signal);
    }
  };
}
