import { both, plus, type Interval } from '../interval.js';
import { bits } from '../judge/bits.js';
import { tolerances } from '../tolerances.js';
import type { LimiterModel, Quota } from './limiter.js';

/** A bucket that refills evenly: its state is the time when it will be full, which does not depend on when it is looked at. */
export function tokenBucket({ limit, past, windowMs, steps }: Quota): LimiterModel<Interval> {
  const interval = windowMs / limit;
  // Refilled by whole tokens it holds no fractions.
  const isWhole = steps?.from !== undefined && Number.isInteger(steps.ms / interval);
  return {
    rounding: isWhole ? 0 : tolerances.remainingRounding,
    admissionSlack: 0,
    initial: (at) => [
      { state: at, cost: 0 },
      { state: [at[0], at[1] + Math.min(past, limit) * interval], cost: bits.past },
    ],
    possibleAt: (state) => [{ state }],
    // What a burst takes from a full bucket comes back while it goes on.
    room: (fullAt, at) => [
      limit - Math.max(0, fullAt[1] - at[0]) / interval,
      limit - (Math.max(0, fullAt[0] - at[0]) - (at[1] - at[0])) / interval,
    ],
    charge: (fullAt, at, [least, most]) =>
      plus([Math.max(fullAt[0], at[0]), Math.max(fullAt[1], at[1])], [least * interval, most * interval]),
    narrow: (fullAt, at, [least, most]) =>
      both(fullAt, [
        most >= limit ? Number.NEGATIVE_INFINITY : at[0] + (limit - most) * interval,
        at[1] + (limit - least) * interval,
      ]) ?? fullAt,
    began: () => Number.NEGATIVE_INFINITY,
    resets: (fullAt, at) => [
      [Math.max(fullAt[0], at[0]), Math.max(fullAt[1], at[1])],
      [at[0], at[1] + interval],
    ],
  };
}
