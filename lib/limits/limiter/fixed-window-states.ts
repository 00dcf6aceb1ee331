import { both, exactly, plus, type Interval } from '../interval.js';
import { coincidence, hypothesisPrices } from '../tolerances.js';
import type { LimiterModel, Possibility, Quota } from './limiter-model.js';

/** A fixed window: when it ends, and how much of it is used. */
interface Window {
  readonly end: Interval;
  readonly used: Interval;
  /** What the window before had left, if some requests of a burst may have been of that one. */
  readonly before: Interval | undefined;
}

/** Windows that begin where the clock is a multiple of their length, or with the first request after the last one's end. */
export function fixedWindow(kind: 'aligned' | 'first request') {
  return (quota: Quota): LimiterModel<Window> => {
    const { limit, past, windowMs, clock, renewed } = quota;
    const carried = Math.min(limit, quota.carried);
    const open = (end: Interval, used: number): Window => ({ end, used: exactly(used), before: undefined });
    const next = (last: Window, at: Interval): ReadonlyArray<Possibility<Window>> => {
      if (kind === 'aligned')
        return windowsAfter(last.end, at, windowMs).map(({ end }) => ({
          state: open(end, carried),
          cost: 0,
        }));
      const own = open(plus([Math.max(at[0], last.end[0]), at[1]], exactly(windowMs)), carried);
      const since = Math.max(last.end[0], at[0] - windowMs);
      if (since >= at[0] || renewed) return [{ state: own, cost: 0 }];
      const byOthers = open([since + windowMs, at[1] + windowMs], carried + 1);
      return [
        { state: own, cost: 0 },
        { state: byOthers, cost: hypothesisPrices.openedByOthers + coincidence(at[1] - since) },
      ];
    };
    return {
      rounding: 0,
      admissionSlack: 0,
      initial(at) {
        const fresh = kind === 'aligned' ? nextEnd(at, clock, windowMs) : plus(at, exactly(windowMs));
        const end = kind === 'aligned' ? fresh : ([at[0], at[1] + windowMs] as const);
        const used: Interval = [Math.min(1, past), past];
        return [
          { state: open(fresh, 0), cost: 0 },
          { state: { ...open(end, 0), used }, cost: hypothesisPrices.past },
        ];
      },
      possibleAt(last, at) {
        const { end, used } = last;
        const open = at[0] < end[1];
        const same: Window = { ...last, end: [Math.max(end[0], at[0]), end[1]], before: undefined };
        if (at[1] < end[0]) return open ? [{ state: same, cost: 0 }] : [];
        const later = next(last, at);
        if (!open) return later;
        const before: Interval = [limit - used[1], limit - used[0]];
        const across = later
          .filter(({ cost }) => cost === 0)
          .map(({ state, cost }) => ({ state: { ...state, before }, cost }));
        return [{ state: same, cost: 0 }, ...later, ...across];
      },
      room({ used, before }) {
        const least = limit - used[1];
        const most = limit - used[0];
        return before ? [Math.min(least, before[0]), most + Math.max(0, before[1])] : [least, most];
      },
      charge(state, at, [least, most]) {
        const end = renewed && most > 0 ? plus(at, exactly(windowMs)) : state.end;
        const earlier = Math.max(0, state.before?.[1] ?? 0);
        const used = plus(state.used, [Math.max(0, least - earlier), most]);
        return { ...state, end, used, before: undefined };
      },
      chargeHidden: (state, _since, _at, count) => ({ ...state, used: plus(state.used, exactly(count)) }),
      narrow(state, _at, [least, most]) {
        const used = both(state.used, [limit - most, limit - least]);
        return used ? { ...state, used } : state;
      },
      renew: (state, at) => ({ ...state, end: plus(at, exactly(windowMs)) }),
      isAcross: ({ before }) => before !== undefined,
      began: ({ end }) => end[0] - windowMs,
      resets: ({ end }) => [end],
      narrowByReset: (state, named) => ({ ...state, end: both(state.end, named) ?? state.end }),
      key: ({ end, used }) => `${Math.round(end[0])} ${Math.round(end[1])} ${used[0]} ${used[1]}`,
    };
  };
}

/** When the window ends that is open as a burst begins, by our clock: windows are multiples of the target's. */
export function nextEnd(at: Interval, clock: Interval | undefined, windowMs: number): Interval {
  if (!clock) return [at[0], at[0] + windowMs];
  const end = (Math.floor((at[0] + clock[0]) / windowMs) + 1) * windowMs;
  return [end - clock[1], end - clock[0]];
}

/** The later windows that may be open during a burst: how many lengths after an end, and when they end. */
export function windowsAfter(
  end: Interval,
  at: Interval,
  windowMs: number,
): Array<{ readonly count: number; readonly end: Interval }> {
  const first = Math.max(1, Math.floor((at[0] - end[1]) / windowMs) + 1);
  const last = Math.floor((at[1] - end[0]) / windowMs) + 1;
  return Array.from({ length: Math.max(0, last - first + 1) }, (_unused, index) => first + index).flatMap(
    (count) => {
      const later = both(plus(end, exactly(count * windowMs)), [at[0], at[1] + windowMs]);
      return later ? [{ count, end: later }] : [];
    },
  );
}
