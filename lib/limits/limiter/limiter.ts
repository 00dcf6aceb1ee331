import type { Interval } from '../interval.js';
import { slidingLog, tokenBucket, windows } from './algorithms.js';

/** What a limiter is to admit. */
export interface Quota {
  /** Requests in one window. */
  readonly limit: number;
  /** Requests at once, for a bucket that holds less than it is refilled with in a window. */
  readonly capacity: number;
  readonly windowMs: number;
  /** The window slides by so many parts. */
  readonly parts?: number | undefined;
  /** Requests that may have been counted before the history begins. */
  readonly past: number;
  /** The target's clock minus ours; undefined if it is unknown, or if windows do not follow it. */
  readonly clock: Interval | undefined;
  /** The limiter's clock goes by steps of so many milliseconds, one of which begins in `from`, if that is known. */
  readonly steps?: { readonly ms: number; readonly from: Interval | undefined } | undefined;
  /** What faulty windows do: every request begins them anew, or so much of them is used as they begin, if only what was over the limit. */
  readonly renewed?: boolean;
  readonly carried?: number | 'what was over the limit';
}

/** A state that a limiter may be in, and what it costs to assume so. */
export interface Possibility<State> {
  readonly state: State;
  readonly cost: number;
  /** If another client's request has opened the window: when the one before ended. */
  readonly openedAfter?: Interval;
}

/**
 * An algorithm as a set of possible states: whatever is not known stands in intervals. Pure: no clock, no I/O. All times are
 * epoch milliseconds of our clock. `at` is the time from the first sending to the last response of a burst.
 */
export interface LimiterModel<State> {
  /** Before anything is known: what was sent earlier with the key is not in the history. */
  initial(at: Interval): ReadonlyArray<Possibility<State>>;
  /** The states at a burst: the same window or a later one. Nothing else branches. */
  possibleAt(state: State, at: Interval): ReadonlyArray<Possibility<State>>;
  /** Requests that would be admitted during a burst: at the least and at the most, with fractions. */
  room(state: State, at: Interval): Interval;
  /** Counts requests; those of other clients at some time since the last response. */
  charge(state: State, at: Interval, count: Interval): State;
  /** Keeps what agrees with this room after a burst; the state itself if nothing does. */
  narrow(state: State, at: Interval, room: Interval): State;
  /** The earliest time at which a request would still be counted. */
  began(state: State, at: Interval): number;
  /** The times that a Reset could mean: when a window ends, or when the first, the next or the last request comes back. */
  resets(state: State, at: Interval): readonly Interval[];
  /** Whether a window may have ended during the burst, so that some of its requests counted before and some after. */
  isAcross?(state: State): boolean;
  /** The state if its window ends in this time. */
  endingIn?(state: State, end: Interval): State;
  /** By how much Remaining may differ from the room's whole part. */
  readonly rounding: number;
  /** By how much a rounded count may admit or reject earlier or later. */
  readonly admissionSlack: 0 | 1;
}

/** A model whose states only itself looks into. */
export type AnyModel = LimiterModel<unknown>;

const usual = {
  'fixed window aligned to the clock': (quota: Quota): AnyModel => windows(quota, 'clock'),
  'fixed window from the first request': (quota: Quota): AnyModel => windows(quota, 'request'),
  'sliding log': (quota: Quota): AnyModel => slidingLog(quota),
  'sliding counter': (quota: Quota): AnyModel => windows(quota, 'clock', true),
  'token bucket': (quota: Quota): AnyModel => tokenBucket(quota),
} as const;

/** Two limiters that must both have room. */
function both(first: keyof typeof usual, second: keyof typeof usual) {
  return (quota: Quota): AnyModel => bothOf(usual[first](quota), usual[second](quota));
}

const pairs = {
  'pair of windows': both('fixed window aligned to the clock', 'fixed window from the first request'),
  'pair of a fixed window and a sliding log': both('fixed window aligned to the clock', 'sliding log'),
  'pair of a window from the first request and a token bucket': both(
    'fixed window from the first request',
    'token bucket',
  ),
} as const;

/** The limiter of an algorithm with these limits. */
export const models = { ...usual, ...pairs } as const;
export type AlgorithmName = keyof typeof models;
export const algorithmNames = Object.keys(usual) as ReadonlyArray<keyof typeof usual>;
export const pairNames = Object.keys(pairs) as ReadonlyArray<keyof typeof pairs>;

/** Whether all of a window comes back at once. */
export function isFixedWindow(name: AlgorithmName): boolean {
  return name.startsWith('fixed') || name === 'pair of windows';
}

function bothOf(first: AnyModel, second: AnyModel): LimiterModel<readonly [unknown, unknown]> {
  const roomsOf = ([a, b]: readonly [unknown, unknown], at: Interval): readonly [Interval, Interval] => [
    first.room(a, at),
    second.room(b, at),
  ];
  return {
    initial: (at) =>
      first.initial(at).flatMap((a) =>
        second
          .initial(at)
          .filter((b) => b.cost > 0 === a.cost > 0)
          .map((b) => ({ state: [a.state, b.state] as const, cost: a.cost })),
      ),
    possibleAt: ([one, other], at) =>
      first.possibleAt(one, at).flatMap((a) =>
        second.possibleAt(other, at).map((b) => {
          const openedAfter = a.openedAfter ?? b.openedAfter;
          return {
            state: [a.state, b.state] as const,
            cost: a.cost + b.cost,
            ...(openedAfter && { openedAfter }),
          };
        }),
      ),
    room(states, at) {
      const [a, b] = roomsOf(states, at);
      return [Math.min(a[0], b[0]), Math.min(a[1], b[1])];
    },
    charge: ([a, b], at, count) => [first.charge(a, at, count), second.charge(b, at, count)],
    narrow([one, other], at, [least, most]) {
      // The one that has surely more is not what was shown.
      const [a, b] = roomsOf([one, other], at);
      const above = [least, Number.POSITIVE_INFINITY] as const;
      return [
        first.narrow(one, at, b[0] > most ? [least, most] : above),
        second.narrow(other, at, a[0] > most ? [least, most] : above),
      ];
    },
    began: ([a, b], at) => Math.max(first.began(a, at), second.began(b, at)),
    resets: ([a, b], at) => [...first.resets(a, at), ...second.resets(b, at)],
    isAcross: ([a, b]) => first.isAcross?.(a) === true || second.isAcross?.(b) === true,
    rounding: Math.max(first.rounding, second.rounding),
    admissionSlack:
      first.admissionSlack > second.admissionSlack ? first.admissionSlack : second.admissionSlack,
  };
}
