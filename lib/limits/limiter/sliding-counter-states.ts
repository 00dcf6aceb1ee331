import { both, exactly, plus, type Interval } from '../interval.js';
import { hypothesisPrices, tolerances } from '../tolerances.js';
import { nextEnd, windowsAfter } from './fixed-window-states.js';
import type { LimiterModel, Quota } from './limiter-model.js';

/** Two counts: that of the window before weighs less the further the current one has gone. */
interface Counters {
  /** When the current window ends. */
  readonly end: Interval;
  readonly previous: Interval;
  readonly current: Interval;
}

export function slidingCounter({ limit, past, windowMs, clock }: Quota): LimiterModel<Counters> {
  /** The share of the previous window that still counts. */
  const weight = (end: Interval, at: Interval): Interval => [
    Math.min(1, Math.max(0, (end[0] - at[1]) / windowMs)),
    Math.min(1, Math.max(0, (end[1] - at[0]) / windowMs)),
  ];
  const unknown: Interval = [0, past];
  const none: Interval = [0, 0];
  return {
    rounding: tolerances.remainingRounding,
    admissionSlack: 1,
    initial(at) {
      const end = nextEnd(at, clock, windowMs);
      return [
        { state: { end, previous: none, current: none }, cost: 0 },
        { state: { end, previous: unknown, current: unknown }, cost: hypothesisPrices.past },
      ];
    },
    possibleAt(state, at) {
      const { end, current } = state;
      const same = at[0] < end[1] ? [{ ...state, end: [Math.max(end[0], at[0]), end[1]] as const }] : [];
      const later = windowsAfter(end, at, windowMs).map((next) => ({
        end: next.end,
        previous: next.count > 1 ? none : current,
        current: none,
      }));
      return [...same, ...later].map((one) => ({ state: one, cost: 0 }));
    },
    room({ end, previous, current }, at) {
      const [least, most] = weight(end, at);
      return [limit - current[1] - previous[1] * most, limit - current[0] - previous[0] * least];
    },
    // Of a burst across the end of a window some requests are of the one before: they weigh no more there.
    charge: (state, at, cost) =>
      state.end[0] - windowMs > at[0]
        ? {
            ...state,
            previous: plus(state.previous, [0, cost[1]]),
            current: plus(state.current, [0, cost[1]]),
          }
        : { ...state, current: plus(state.current, cost) },
    chargeHidden(state, since, _at, count) {
      const { end, previous, current } = state;
      if (since >= end[1] - windowMs) return { ...state, current: plus(current, exactly(count)) };
      return { ...state, previous: plus(previous, [0, 2 * count]), current: plus(current, [0, count]) };
    },
    narrow(state, at, [least, most]) {
      const share = weight(state.end, at);
      const { previous, current } = state;
      const now = both(current, [
        limit - most - previous[1] * share[1],
        limit - least - previous[0] * share[0],
      ]);
      if (!now) return state;
      if (share[0] < 0.05) return { ...state, current: now };
      const before = both(previous, [
        (limit - most - now[1]) / share[1],
        (limit - least - now[0]) / share[0],
      ]);
      return { ...state, current: now, previous: before ?? previous };
    },
    began: ({ end }) => end[0] - 2 * windowMs,
    resets: ({ end }) => [end, plus(end, exactly(windowMs))],
    key: ({ end, previous, current }) =>
      [...end, ...previous, ...current].map((value) => value.toFixed(1)).join(' '),
  };
}
