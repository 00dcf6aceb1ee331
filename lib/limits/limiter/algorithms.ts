import { begunBy, both, exactly, none, plus, tolerances, type Interval, type Steps } from '../tolerances.js';

/** What a limiter is to admit. */
export interface Quota {
  /** Requests in one window. */
  readonly limit: number;
  readonly windowMs: number;
  /** The target's clock minus ours; undefined if it is unknown, or if windows do not follow it. */
  readonly clock?: Interval | undefined;
  /** The limiter's clock goes by such steps. */
  readonly steps?: Steps | undefined;
  /** A sliding counter sums parts of so many milliseconds. By default of a window. */
  readonly partMs?: number;
  /** What a faulty window has used as it begins, by what was used of the one before. */
  readonly carried?: (used: Interval) => Interval;
}

/** A state that a limiter may be in; and if another client's request has opened its window, when the one before ended. */
type Possibility<State> = { readonly state: State; readonly openedAfter?: Interval };

/**
 * An algorithm as a set of possible states: whatever is not known stands in intervals. Pure: no clock, no I/O. All times are
 * epoch milliseconds of our clock. `at` is the time from the first sending to the last response of a burst.
 */
interface LimiterModel<State> {
  /** Before anything is known: unused, and used by what was sent earlier with the key, which is not in the history. */
  initial(at: Interval): readonly [unused: State, used: State];
  /** The states at a burst: the same window or a later one. Nothing else branches. */
  possibleAt(state: State, at: Interval): ReadonlyArray<Possibility<State>>;
  /** Requests that would be admitted during a burst: at the least and at the most, with fractions. */
  room(state: State, at: Interval): Interval;
  /** Counts requests that came at some time in `at`. */
  charge(state: State, at: Interval, count: Interval): State;
  /** Keeps what agrees with this room after a burst; the state itself if nothing does. */
  narrow(state: State, at: Interval, room: Interval): State;
  /** The earliest time at which a request would still be counted. */
  began(state: State, at: Interval): number;
  /** When a window ends, or when the first request comes back, and the last: what Reset may name. */
  resets(state: State, at: Interval): Interval;
  /** Whether a window may have ended during the burst: some of its requests counted before and some after. */
  isAcross?(state: State): boolean;
  /** The state if its window ends in this time. */
  endingIn?(state: State, end: Interval): State;
  /** By how much Remaining may differ from the room's whole part. */
  readonly rounding: number;
}

/** A model whose states only itself looks into. */
export type AnyModel = LimiterModel<unknown>;

export const models = {
  'fixed window aligned to the clock': (quota: Quota): AnyModel => windows(quota, 'clock'),
  'fixed window from the first request': (quota: Quota): AnyModel => windows(quota, 'request'),
  'sliding log': (quota: Quota): AnyModel => slidingLog(quota),
  'sliding counter': (quota: Quota): AnyModel => slidingLog(quota, true),
  'token bucket': (quota: Quota): AnyModel => tokenBucket(quota),
} as const;

export type AlgorithmName = keyof typeof models;
export const algorithmNames = Object.keys(models) as readonly AlgorithmName[];

/** Whether all of a window comes back at once. */
export function isFixedWindow(name: AlgorithmName): boolean {
  return name.startsWith('fixed');
}

interface Window {
  readonly end: Interval;
  readonly used: Interval;
  /** What the window before had left, if some requests of a burst may have been of that one. */
  readonly before?: Interval | undefined;
}

/** Windows that begin at a multiple of their length by the target's clock, or with the first request after the last one's end. */
function windows(
  { limit, windowMs, clock, carried = () => none }: Quota,
  begin: 'clock' | 'request',
): LimiterModel<Window> {
  const length = exactly(windowMs);
  const opened = (end: Interval, [least, most]: Interval): Window => ({
    end,
    used: [Math.max(0, Math.min(limit, least)), Math.max(0, Math.min(limit, most))],
  });
  /** When the first window ends. */
  const firstEnd = (at: Interval): Interval => {
    if (begin === 'request') return plus(at, length);
    if (!clock) return [at[0], at[0] + windowMs];
    const end = (Math.floor((at[0] + clock[0]) / windowMs) + 1) * windowMs;
    return [end - clock[1], end - clock[0]];
  };
  const later = ({ end, used }: Window, at: Interval): Array<Possibility<Window>> => {
    const over = carried(used);
    if (begin === 'request') {
      const own = opened(plus([Math.max(at[0], end[0]), at[1]], length), over);
      const since = Math.max(end[0], at[0] - windowMs);
      if (since >= at[0]) return [{ state: own }];
      const byOthers = opened(plus([since, at[1]], length), plus(over, exactly(1)));
      return [{ state: own }, { state: byOthers, openedAfter: end }];
    }
    const next: Array<Possibility<Window>> = [];
    const first = Math.max(1, Math.floor((at[0] - end[1]) / windowMs) + 1);
    for (let count = first; end[0] + (count - 1) * windowMs <= at[1]; count += 1) {
      const ends = both(plus(end, exactly(count * windowMs)), [at[0], at[1] + windowMs]);
      if (ends) next.push({ state: opened(ends, over) });
    }
    return next;
  };
  return {
    rounding: 0,
    initial: (at) => {
      const [first, last] = firstEnd(at);
      return [opened([first, last], none), opened([begin === 'clock' ? first : at[0], last], [1, limit])];
    },
    possibleAt({ end, used }, at) {
      const same: Window = { end: [Math.max(end[0], at[0]), end[1]], used };
      const isOpen = at[0] < end[1];
      if (at[1] < end[0]) return isOpen ? [{ state: same }] : [];
      const next = later({ end, used }, at);
      if (!isOpen) return next;
      const before: Interval = [limit - used[1], limit - used[0]];
      const across = next.map((one) => ({ ...one, state: { ...one.state, before } }));
      return [{ state: same }, ...next, ...across];
    },
    room({ used, before }) {
      const [least, most] = [limit - used[1], limit - used[0]];
      return before ? [Math.min(least, before[0]), most + Math.max(0, before[1])] : [least, most];
    },
    charge({ end, used, before }, _at, [least, most]) {
      const ofBefore = Math.max(0, before?.[1] ?? 0);
      return { end, used: plus(used, [Math.max(0, least - ofBefore), most]) };
    },
    narrow: (state, _at, [least, most]) => ({
      ...state,
      used: both(state.used, [limit - most, limit - least]) ?? state.used,
    }),
    began: ({ end }) => end[0] - windowMs,
    resets: ({ end }) => end,
    isAcross: ({ before }) => before !== undefined,
    endingIn: (state, end) => ({ ...state, end }),
  };
}

/** Requests that were counted at some time in `at`; by parts, in one that began then. */
interface Entry {
  readonly at: Interval;
  readonly count: Interval;
}

/** Requests within so many milliseconds are one entry, which is quicker; what weighs less than this is not learnt from. */
const nearlyMs = 100;
const leastWeight = 0.05;
/**
 * Keeps the time of every request; each comes back one window after it was made. By parts, as a sliding counter sums them, all
 * requests of a part come back evenly within the length of one.
 */
function slidingLog(
  { limit, windowMs, steps, clock, partMs = windowMs }: Quota,
  isByParts = false,
): LimiterModel<readonly Entry[]> {
  const ofParts: Steps = { ms: partMs, from: clock && [-clock[1], -clock[0]] };
  const parts = isByParts ? ofParts : undefined;
  // Whether a request still counts exactly one window later is open, unless whole steps are counted.
  const after = steps && steps.ms > 1_000 ? 1 : 0;
  const fadesMs = isByParts ? partMs : 0;
  const fading = (agoMs: number): number => Math.min(1, Math.max(0, 1 - (agoMs - windowMs) / fadesMs));
  /** How much of each request counts. */
  const weights = ({ at: [from, to] }: Entry, [first, last]: Interval): Interval =>
    parts
      ? [fading(last - from), fading(first - to)]
      : [Number(from + windowMs > last), Number(to + windowMs >= first + after)];
  const held = (log: readonly Entry[], at: Interval): Interval =>
    log.reduce((sum, one) => {
      const [light, heavy] = weights(one, at);
      return plus(sum, [one.count[0] * light, one.count[1] * heavy]);
    }, none);
  /** What still counts is less than a window old, or of one of the parts that make up a window. */
  const past = (at: Interval): readonly Entry[] => {
    if (!parts) return [{ at: [at[1] - windowMs + 1, at[0]], count: [1, limit] }];
    const begun = begunBy(at, parts);
    const ago = Array.from(
      { length: Math.ceil(windowMs / fadesMs) + 1 },
      (_unused, index) => index * fadesMs,
    );
    return ago.toReversed().map((ms) => ({ at: plus(begun, exactly(-ms)), count: [0, limit] }));
  };
  return {
    // Remaining is what a fraction leaves, rounded either way.
    rounding: parts ? tolerances.remainingRounding : 0,
    initial: (at) => [[], past(at)],
    possibleAt: (log, at) => [{ state: log.filter((one) => weights(one, at)[1] > 0) }],
    room(log, at) {
      const [least, most] = held(log, at);
      return [limit - most, limit - least];
    },
    charge(log, time, count) {
      if (count[1] === 0) return log;
      const at = parts ? begunBy(time, parts) : time;
      const last = log.at(-1);
      // What came nearly at the same time comes back so, too.
      if (!last || at[0] < last.at[0] || at[1] - last.at[0] > nearlyMs) return [...log, { at, count }];
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
    began: (_log, at) => at[0] - windowMs - fadesMs,
    resets: (log, at) => [(log[0]?.at ?? at)[0] + windowMs, (log.at(-1)?.at ?? at)[1] + windowMs + fadesMs],
  };
}

/** A bucket that refills evenly: its state is the time when it will be full, which does not depend on when it is looked at. */
function tokenBucket({ limit, windowMs, steps }: Quota): LimiterModel<Interval> {
  const interval = windowMs / limit;
  // Refilled by whole tokens it holds no fractions.
  const isWhole = steps?.from !== undefined && Number.isInteger(steps.ms / interval);
  return {
    rounding: isWhole ? 0 : tolerances.remainingRounding,
    initial: (at) => [at, [at[0], at[1] + windowMs]],
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
    resets: (fullAt, at) => [at[0], Math.max(fullAt[1], at[1]) + interval],
  };
}
