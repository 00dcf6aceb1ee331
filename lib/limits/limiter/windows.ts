import { both, exactly, plus, type Interval } from '../interval.js';
import { coincidence, hypothesisPrices, tolerances } from '../tolerances.js';
import type { LimiterModel, Possibility, Quota } from './limiter.js';

interface Window {
  readonly end: Interval;
  readonly used: Interval;
  /** What was used in the window before, which a sliding counter weighs less the further this one has gone. */
  readonly previous: Interval;
  /** What the window before had left, if some requests of a burst may have been of that one. */
  readonly before: Interval | undefined;
}

const none: Interval = [0, 0];

/**
 * Windows that begin at a multiple of their length by the target's clock, or with the first request after the last one's end.
 * @param slides a share of the window before is counted, too
 */
export function windows(
  { limit, past, windowMs, clock, renewed, carried }: Quota,
  begin: 'clock' | 'request',
  slides = false,
): LimiterModel<Window> {
  const opened = (end: Interval, used: number, previous = none): Window => ({
    end,
    used: exactly(Math.min(limit, used)),
    previous,
    before: undefined,
  });
  const ofClock = (at: Interval): Interval => {
    if (!clock) return [at[0], at[0] + windowMs];
    const end = (Math.floor((at[0] + clock[0]) / windowMs) + 1) * windowMs;
    return [end - clock[1], end - clock[0]];
  };
  const later = ({ end, used }: Window, at: Interval): Array<Possibility<Window>> => {
    if (begin === 'request') {
      const own = opened(plus([Math.max(at[0], end[0]), at[1]], exactly(windowMs)), carried);
      const since = Math.max(end[0], at[0] - windowMs);
      if (since >= at[0] || renewed) return [{ state: own, cost: 0 }];
      const byOthers = opened([since + windowMs, at[1] + windowMs], carried + 1);
      const cost = hypothesisPrices.openedByOthers + coincidence(at[1] - since);
      return [
        { state: own, cost: 0 },
        { state: byOthers, cost },
      ];
    }
    const first = Math.max(1, Math.floor((at[0] - end[1]) / windowMs) + 1);
    const last = Math.floor((at[1] - end[0]) / windowMs) + 1;
    return Array.from({ length: Math.max(0, last - first + 1) }, (_unused, index) => first + index).flatMap(
      (count) => {
        const next = both(plus(end, exactly(count * windowMs)), [at[0], at[1] + windowMs]);
        return next ? [{ state: opened(next, carried, slides && count === 1 ? used : none), cost: 0 }] : [];
      },
    );
  };
  /** How much of the window before still counts. */
  const share = ({ end }: Window, at: Interval): Interval =>
    slides
      ? [
          Math.min(1, Math.max(0, (end[0] - at[1]) / windowMs)),
          Math.min(1, Math.max(0, (end[1] - at[0]) / windowMs)),
        ]
      : none;
  return {
    rounding: slides ? tolerances.remainingRounding : 0,
    admissionSlack: slides ? 1 : 0,
    initial(at) {
      const end = begin === 'clock' ? ofClock(at) : plus(at, exactly(windowMs));
      const fresh = opened(end, 0);
      const used: Interval = [Math.min(1, past), past];
      const earlier: Window = {
        end: begin === 'clock' ? end : [at[0], at[1] + windowMs],
        used: slides ? [0, past] : used,
        previous: slides ? [0, past] : none,
        before: undefined,
      };
      return [
        { state: fresh, cost: 0 },
        { state: earlier, cost: hypothesisPrices.past },
      ];
    },
    possibleAt(state, at) {
      const { end, used } = state;
      const same: Window = { ...state, end: [Math.max(end[0], at[0]), end[1]], before: undefined };
      const isOpen = at[0] < end[1];
      if (at[1] < end[0]) return isOpen ? [{ state: same, cost: 0 }] : [];
      const next = later(state, at);
      if (!isOpen) return next;
      const before: Interval = [limit - used[1], limit - used[0]];
      const across = slides ? [] : next.filter(({ cost }) => cost === 0);
      return [
        { state: same, cost: 0 },
        ...next,
        ...across.map(({ state: one, cost }) => ({ state: { ...one, before }, cost })),
      ];
    },
    room(state, at) {
      const { used, previous, before } = state;
      const counted = share(state, at);
      const least = limit - used[1] - previous[1] * counted[1];
      const most = limit - used[0] - previous[0] * counted[0];
      return before ? [Math.min(least, before[0]), most + Math.max(0, before[1])] : [least, most];
    },
    charge(state, at, [least, most]) {
      const { used, previous, before } = state;
      const end = renewed && most > 0 ? plus(at, exactly(windowMs)) : state.end;
      // What was sent before the window began weighs less, so that more of it may be needed.
      if (slides && end[0] - windowMs > at[0])
        return { ...state, previous: plus(previous, [0, 2 * most]), used: plus(used, [0, most]) };
      const ofBefore = Math.max(0, before?.[1] ?? 0);
      return {
        ...state,
        end,
        used: plus(used, [Math.max(0, least - ofBefore), most]),
        before: undefined,
      };
    },
    narrow(state, at, [least, most]) {
      const counted = share(state, at);
      const { previous } = state;
      const used = both(state.used, [
        limit - most - previous[1] * counted[1],
        limit - least - previous[0] * counted[0],
      ]);
      if (!used) return state;
      if (counted[0] < 0.05) return { ...state, used };
      const weighed = both(previous, [
        (limit - most - used[1]) / counted[1],
        (limit - least - used[0]) / counted[0],
      ]);
      return { ...state, used, previous: weighed ?? previous };
    },
    began: ({ end }) => end[0] - (slides ? 2 : 1) * windowMs,
    resets: ({ end }) => (slides ? [end, plus(end, exactly(windowMs))] : [end]),
    isAcross: ({ before }) => before !== undefined,
    endingIn: (state, end) => ({ ...state, end: both(state.end, end) ?? end }),
  };
}
