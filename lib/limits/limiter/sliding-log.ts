import { plus, type Interval } from '../interval.js';
import { hypothesisPrices } from '../tolerances.js';
import type { LimiterModel, Quota } from './limiter.js';

/** Requests that were counted at some time in `at`. */
interface Entry {
  readonly at: Interval;
  readonly count: Interval;
}

/** Requests within so many milliseconds are kept as one entry. */
const nearlyMs = 100;

/** Keeps the time of every request; each comes back one window after it was made. */
export function slidingLog({ limit, past, windowMs }: Quota): LimiterModel<readonly Entry[]> {
  // Whether a request still counts exactly one window later is open.
  const isHeld = ({ at: [from] }: Entry, at: Interval): boolean => from + windowMs > at[1];
  const mayBeHeld = ({ at: [, to] }: Entry, at: Interval): boolean => to + windowMs >= at[0];
  const held = (log: readonly Entry[], at: Interval): Interval => {
    let [least, most] = [0, 0];
    for (const one of log) {
      if (isHeld(one, at)) least += one.count[0];
      if (mayBeHeld(one, at)) most += one.count[1];
    }
    return [least, most];
  };
  return {
    rounding: 0,
    admissionSlack: 0,
    initial: (at) => [
      { state: [], cost: 0 },
      {
        // What still counts is less than a window old.
        state: [{ at: [at[1] - windowMs + 1, at[0]], count: [Math.min(1, past), past] }],
        cost: hypothesisPrices.past,
      },
    ],
    possibleAt: (log, at) => [{ state: log.filter((one) => mayBeHeld(one, at)), cost: 0 }],
    room(log, at) {
      const [least, most] = held(log, at);
      return [limit - most, limit - least];
    },
    charge(log, at, count) {
      const last = log.at(-1);
      if (count[1] === 0) return log;
      // What came nearly at the same time comes back so, too.
      const near = last !== undefined && at[0] >= last.at[0] && at[1] - last.at[0] <= nearlyMs;
      if (!near) return [...log, { at, count }];
      const joined: Entry = { at: [last.at[0], Math.max(last.at[1], at[1])], count: plus(last.count, count) };
      return [...log.slice(0, -1), joined];
    },
    narrow(log, at, [leastRoom, mostRoom]) {
      const [least, most] = held(log, at);
      return log.map((one) => {
        if (one.count[0] === one.count[1] || !isHeld(one, at)) return one;
        const count: Interval = [
          Math.max(one.count[0], limit - mostRoom - (most - one.count[1])),
          Math.min(one.count[1], limit - leastRoom - (least - one.count[0])),
        ];
        return count[0] <= count[1] ? { ...one, count } : one;
      });
    },
    began: (_log, at) => at[0] - windowMs,
    resets(log, at) {
      const sure = log.findIndex((one) => isHeld(one, at) && one.count[0] > 0);
      const oldest = log.find((one) => mayBeHeld(one, at) && one.count[1] > 0);
      // The one that must leave before another is admitted.
      let over = log.reduce((sum, { count }) => sum + count[1], 0) - limit;
      const next = log.find(({ count }) => (over -= count[1]) < 0);
      const back = (from: Entry | undefined, to = from): Interval => [
        (from?.at[0] ?? at[0]) + windowMs,
        (to?.at[1] ?? at[1]) + windowMs,
      ];
      return [back(oldest, log[sure]), back(log.at(-1)), back(next)];
    },
  };
}
