import type { Clock } from '../../http/clock/clock.js';

/**
 * A clock for tests: it runs like the machine's, and leaps over every wait. A service that is given its `now` goes
 * through windows of a minute in no time, while what a request takes is real.
 */
export function leapingClock(begin = Date.now()): Clock {
  let ahead = begin - performance.now();
  const now = (): number => performance.now() + ahead;
  return {
    now,
    async sleep(milliseconds, signal) {
      signal?.throwIfAborted();
      ahead += Math.max(0, milliseconds);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
