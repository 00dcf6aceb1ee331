import type { Interval } from '../interval.js';
import { fixedWindow } from './fixed-window-states.js';
import type { LimiterModel, Quota } from './limiter-model.js';

/** A limiter that also counts over a short window, which its headers do not describe (a fault). */
export function twoLimits<State>(
  main: LimiterModel<State>,
  quota: Quota,
  second: { readonly limit: number; readonly windowMs: number },
): LimiterModel<{ readonly main: State; readonly short: unknown }> {
  const other = fixedWindow('first request')({ ...quota, ...second, past: 0 }) as LimiterModel<unknown>;
  const least = (a: Interval, b: Interval): Interval => [Math.min(a[0], b[0]), Math.min(a[1], b[1])];
  return {
    rounding: main.rounding,
    admissionSlack: main.admissionSlack,
    initial: (at) =>
      main
        .initial(at)
        .flatMap(({ state, cost }) =>
          other
            .initial(at)
            .map((short) => ({ state: { main: state, short: short.state }, cost: cost + short.cost })),
        ),
    possibleAt: (state, at) =>
      main.possibleAt(state.main, at).flatMap((one) =>
        other
          .possibleAt(state.short, at)
          .filter(({ cost }) => cost === 0)
          .map((short) => ({ state: { main: one.state, short: short.state }, cost: one.cost })),
      ),
    room: (state, at) => least(main.room(state.main, at), other.room(state.short, at)),
    reported: (state, at) => main.room(state.main, at),
    charge: (state, at, cost) => ({
      main: main.charge(state.main, at, cost),
      short: other.charge(state.short, at, cost),
    }),
    chargeHidden: (state, since, at, count) => ({
      ...state,
      main: main.chargeHidden(state.main, since, at, count),
    }),
    narrow: (state, at, room) => ({ ...state, main: main.narrow(state.main, at, room) }),
    began: (state, at) => main.began(state.main, at),
    resets: (state, at) => [...main.resets(state.main, at), ...other.resets(state.short, at)],
    key: (state) => `${main.key(state.main)} ${other.key(state.short)}`,
  };
}
