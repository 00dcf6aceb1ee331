import { begunBy, both, exactly, plus, type Interval } from '../interval.js';
import { bits } from '../judge/bits.js';
import { tolerances } from '../tolerances.js';
import type { LimiterModel, Possibility, Quota } from './limiter.js';

interface Window {
  readonly end: Interval;
  readonly used: Interval;
  /** What was used in the window before, which still counts if the limiter slides. */
  readonly earlier: Interval;
  /** What the window before had left, if some requests of a burst may have been of that one. */
  readonly before: Interval | undefined;
}

const none: Interval = [0, 0];

/**
 * Windows that begin at a multiple of their length by the target's clock, or with the first request after the last one's end.
 * @param slides the window that has just left counts, too, and weighs less the further this one has gone
 */
export function windows(
  { limit, renewed, carried = 0, clock, windowMs }: Quota,
  begin: 'clock' | 'request',
  slides = false,
): LimiterModel<Window> {
  const length = exactly(windowMs);
  const opened = (end: Interval, [least, most]: Interval, earlier: Interval = none): Window => ({
    end,
    used: [Math.max(0, Math.min(limit, least)), Math.max(0, Math.min(limit, most))],
    earlier,
    before: undefined,
  });
  /** When the first window ends. */
  const firstEnd = ([first, last]: Interval): Interval => {
    if (begin === 'request') return [first + windowMs, last + windowMs];
    if (!clock) return [first, first + windowMs];
    const end = (Math.floor((first + clock[0]) / windowMs) + 1) * windowMs;
    return [end - clock[1], end - clock[0]];
  };
  const later = (state: Window, at: Interval): Array<Possibility<Window>> => {
    const { end, used } = state;
    const over = typeof carried === 'number' ? exactly(carried) : plus(used, [-limit, -limit]);
    if (begin === 'request') {
      const own = opened(plus([Math.max(at[0], end[0]), at[1]], length), over);
      const since = Math.max(end[0], at[0] - windowMs);
      if (since >= at[0] || renewed) return [{ state: own }];
      const byOthers = opened(plus([since, at[1]], length), plus(over, exactly(1)));
      return [{ state: own }, { state: byOthers, openedAfter: end }];
    }
    const next: Array<Possibility<Window>> = [];
    const first = Math.max(1, Math.floor((at[0] - end[1]) / windowMs) + 1);
    for (let count = first; end[0] + (count - 1) * windowMs <= at[1]; count += 1) {
      const ends = both(plus(end, exactly(count * windowMs)), [at[0], at[1] + windowMs]);
      if (ends) next.push({ state: opened(ends, over, slides && count === 1 ? used : none) });
    }
    return next;
  };
  /** How much of the window before still counts: its share, and its requests. */
  const share = ({ end }: Window, at: Interval): Interval => [
    Math.min(1, Math.max(0, (end[0] - at[1]) / windowMs)),
    Math.min(1, Math.max(0, (end[1] - at[0]) / windowMs)),
  ];
  const counted = (state: Window, at: Interval): Interval => {
    const [least, most] = share(state, at);
    return [state.earlier[0] * least, state.earlier[1] * most];
  };
  return {
    rounding: slides ? tolerances.remainingRounding : 0,
    initial(at) {
      const end = firstEnd(at);
      const since: Interval = begin === 'clock' ? end : [at[0], end[1]];
      const used = opened(since, [slides ? 0 : 1, limit], slides ? [0, limit] : none);
      return [
        { state: opened(end, none), cost: 0 },
        { state: used, cost: bits.past },
      ];
    },
    possibleAt(state, at) {
      const { end, used } = state;
      const same: Window = { ...state, end: [Math.max(end[0], at[0]), end[1]], before: undefined };
      const isOpen = at[0] < end[1];
      if (at[1] < end[0]) return isOpen ? [{ state: same }] : [];
      const next = later(state, at);
      if (!isOpen) return next;
      const before: Interval = [limit - used[1], limit - used[0]];
      const across = slides ? [] : next.map((one) => ({ ...one, state: { ...one.state, before } }));
      return [{ state: same }, ...next, ...across];
    },
    room(state, at) {
      const { used, before } = state;
      const [leastCounted, mostCounted] = plus(used, counted(state, at));
      const [least, most] = [limit - mostCounted, limit - leastCounted];
      return before ? [Math.min(least, before[0]), most + Math.max(0, before[1])] : [least, most];
    },
    charge(state, at, [least, most]) {
      const { used, earlier, before } = state;
      const end = renewed && most > 0 ? plus(at, length) : state.end;
      // What was sent before the window began weighs less, so that more of it may be needed.
      if (slides && end[0] - windowMs > at[0])
        return { ...state, earlier: plus(earlier, [0, 2 * most]), used: plus(used, [0, most]) };
      const ofBefore = Math.max(0, before?.[1] ?? 0);
      return { ...state, end, used: plus(used, [Math.max(0, least - ofBefore), most]), before: undefined };
    },
    narrow(state, at, [least, most]) {
      const [leastCounted, mostCounted] = counted(state, at);
      const used = both(state.used, [limit - most - mostCounted, limit - least - leastCounted]);
      if (!used) return state;
      const weight = share(state, at);
      if (weight[0] < 0.05) return { ...state, used };
      const earlier = both(state.earlier, [
        (limit - most - used[1]) / weight[1],
        (limit - least - used[0]) / weight[0],
      ]);
      return { ...state, used, earlier: earlier ?? state.earlier };
    },
    began: ({ end }) => end[0] - (slides ? 2 : 1) * windowMs,
    resets: ({ end }) => (slides ? [end, plus(end, length)] : [end]),
    isAcross: ({ before }) => before !== undefined,
    endingIn: (state, end) => ({ ...state, end }),
  };
}

/** Requests that were counted at some time in `at`; by parts, in a part that began then. */
interface Entry {
  readonly at: Interval;
  readonly count: Interval;
}

/** Requests within so many milliseconds are kept as one entry. */
const nearlyMs = 100;

/** What weighs less than this is not learnt from. */
const leastWeight = 0.05;

/**
 * Keeps the time of every request; each comes back one window after it was made. By parts, all requests of a part come back
 * evenly within the length of one, a window after it began.
 */
export function slidingLog({ limit, windowMs, steps, parts }: Quota): LimiterModel<readonly Entry[]> {
  // Whether a request still counts exactly one window later is open, unless whole steps are counted.
  const after = steps && steps.ms > 1_000 ? 1 : 0;
  const fadesMs = parts?.ms ?? 0;
  const fading = (agoMs: number): number => Math.min(1, Math.max(0, 1 - (agoMs - windowMs) / fadesMs));
  /** How much of each request counts. */
  const weights = ({ at: [from, to] }: Entry, [first, last]: Interval): Interval =>
    parts
      ? [fading(last - from), fading(first - to)]
      : [Number(from + windowMs > last), Number(to + windowMs >= first + after)];
  const held = (log: readonly Entry[], at: Interval): Interval => {
    let [least, most] = [0, 0];
    for (const one of log) {
      const weight = weights(one, at);
      least += one.count[0] * weight[0];
      most += one.count[1] * weight[1];
    }
    return [least, most];
  };
  return {
    rounding: 0,
    initial: (at) => [
      { state: [], cost: 0 },
      {
        // What still counts is less than a window old.
        state: [{ at: [at[1] - windowMs - fadesMs + 1, at[0]], count: [1, limit] }],
        cost: bits.past,
      },
    ],
    possibleAt: (log, at) => [{ state: log.filter((one) => weights(one, at)[1] > 0) }],
    room(log, at) {
      const [least, most] = held(log, at);
      return [limit - most, limit - least];
    },
    charge(log, time, count) {
      const last = log.at(-1);
      if (count[1] === 0) return log;
      const at = parts ? begunBy(time, parts) : time;
      // What came nearly at the same time comes back so, too.
      const near = last !== undefined && at[0] >= last.at[0] && at[1] - last.at[0] <= nearlyMs;
      if (!near) return [...log, { at, count }];
      const joined: Entry = { at: [last.at[0], Math.max(last.at[1], at[1])], count: plus(last.count, count) };
      return [...log.slice(0, -1), joined];
    },
    narrow(log, at, [leastRoom, mostRoom]) {
      const [least, most] = held(log, at);
      return log.map((one) => {
        const [light, heavy] = weights(one, at);
        if (one.count[0] === one.count[1] || light < leastWeight) return one;
        const count: Interval = [
          Math.max(one.count[0], (limit - mostRoom - (most - one.count[1] * heavy)) / heavy),
          Math.min(one.count[1], (limit - leastRoom - (least - one.count[0] * light)) / light),
        ];
        return count[0] <= count[1] ? { ...one, count } : one;
      });
    },
    began: (_log, at) => at[0] - windowMs,
    resets(log, at) {
      const sure = log.find((one) => weights(one, at)[0] > 0 && one.count[0] > 0);
      const oldest = log.find((one) => weights(one, at)[1] > 0 && one.count[1] > 0);
      // The one that must leave before another is admitted.
      let over = log.reduce((sum, { count }) => sum + count[1], 0) - limit;
      const next = log.find(({ count }) => (over -= count[1]) < 0);
      const back = (from: Entry | undefined, to = from): Interval => [
        (from?.at[0] ?? at[0]) + windowMs,
        (to?.at[1] ?? at[1]) + windowMs + fadesMs,
      ];
      return [back(oldest, sure), back(log.at(-1)), back(next)];
    },
  };
}

/** A bucket that refills evenly: its state is the time when it will be full, which does not depend on when it is looked at. */
export function tokenBucket({ limit, windowMs, steps }: Quota): LimiterModel<Interval> {
  const interval = windowMs / limit;
  // Refilled by whole tokens it holds no fractions.
  const isWhole = steps?.from !== undefined && Number.isInteger(steps.ms / interval);
  return {
    rounding: isWhole ? 0 : tolerances.remainingRounding,
    initial: (at) => [
      { state: at, cost: 0 },
      { state: [at[0], at[1] + windowMs], cost: bits.past },
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
