import { both, plus, type Interval } from '../interval.js';
import { hypothesisPrices, tolerances } from '../tolerances.js';
import type { LimiterModel, Quota } from './limiter-model.js';

/** A bucket that refills evenly, as the time when it will be full: that does not depend on when it is looked at. */
interface Bucket {
  readonly fullAt: Interval;
}

export function tokenBucket({ limit, capacity, past, windowMs }: Quota): LimiterModel<Bucket> {
  const interval = windowMs / limit;
  const add = ({ fullAt }: Bucket, at: Interval, cost: Interval): Bucket => ({
    fullAt: plus(
      [Math.max(fullAt[0], at[0]), Math.max(fullAt[1], at[1])],
      [cost[0] * interval, cost[1] * interval],
    ),
  });
  return {
    rounding: tolerances.remainingRounding,
    admissionSlack: 0,
    initial: (at) => [
      { state: { fullAt: at }, cost: 0 },
      {
        state: { fullAt: [at[0], at[1] + Math.min(past, capacity) * interval] },
        cost: hypothesisPrices.past,
      },
    ],
    possibleAt: (state) => [{ state, cost: 0 }],
    room: ({ fullAt }, at) => [
      capacity - Math.max(0, fullAt[1] - at[0]) / interval,
      capacity - Math.max(0, fullAt[0] - at[1]) / interval,
    ],
    charge: add,
    chargeHidden: (state, since, at, count) => add(state, [since, at[1]], [count, count]),
    narrow(state, at, [least, most]) {
      const fullAt = both(state.fullAt, [
        most >= capacity ? Number.NEGATIVE_INFINITY : at[0] + (capacity - most) * interval,
        at[1] + (capacity - least) * interval,
      ]);
      return fullAt ? { fullAt } : state;
    },
    began: () => Number.NEGATIVE_INFINITY,
    resets: ({ fullAt }, at) => [
      [Math.max(fullAt[0], at[0]), Math.max(fullAt[1], at[1])],
      [at[0], at[1] + interval],
    ],
    key: ({ fullAt }) => `${fullAt[0].toFixed(1)} ${fullAt[1].toFixed(1)}`,
  };
}
