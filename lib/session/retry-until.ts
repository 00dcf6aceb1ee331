import type { Clock } from '../http/clock/clock.js';

/** Asks again until `settled` says that the answer will do, or the time is over; returns the last answer. */
export type RetryUntil = <Result>(
  ask: () => Promise<Result>,
  settled: (result: Result) => boolean,
) => Promise<Result>;

/** Milliseconds before the first repeat, and how many times as long each further one waits. */
const pauses = { soon: { first: 50, factor: 2 }, sparing: { first: 500, factor: 3 } } as const;

/**
 * Patience with a target that shows what was created with a delay.
 * @param consistencyMs milliseconds for which it may, counted from the first time that it is asked
 * @param lastCreation where requests are dearer than time: when the target last created anything, by `clock`. As long as
 * it was seen to take is waited for after that before any further question, too.
 */
export function retryWithin(
  consistencyMs: number,
  clock: Clock,
  signal: AbortSignal,
  lastCreation?: () => number | undefined,
): RetryUntil {
  const { first, factor } = lastCreation ? pauses.sparing : pauses.soon;
  let seenDelay = 0;
  return async (ask, settled) => {
    const begin = clock.now();
    const until = begin + consistencyMs;
    const early = (lastCreation?.() ?? 0) + seenDelay - begin;
    if (early > 0) await clock.sleep(early, signal);
    for (let pause: number = first, repeated = false; ; pause *= factor, repeated = true) {
      const elapsed = Math.min(clock.now() - begin, consistencyMs);
      const result = await ask();
      if (settled(result)) {
        if (repeated) seenDelay = Math.max(seenDelay, elapsed);
        return result;
      }
      if (clock.now() >= until) return result;
      await clock.sleep(Math.min(pause, Math.max(1, until - clock.now())), signal);
    }
  };
}
