import type { Interval, Steps } from '../interval.js';
import { slidingLog, tokenBucket, windows } from './algorithms.js';

/** What a limiter is to admit. */
export interface Quota {
  /** Requests in one window. */
  readonly limit: number;
  readonly windowMs: number;
  /** The target's clock minus ours; undefined if it is unknown, or if windows do not follow it. */
  readonly clock: Interval | undefined;
  /** The limiter's clock goes by such steps. */
  readonly steps?: Steps | undefined;
  /** A sliding counter sums such parts of a window; the one that has just left it weighs less and less. */
  readonly parts?: Steps | undefined;
  /** What faulty windows do: every request begins them anew, or so much of them is used as they begin, if only what was over the limit. */
  readonly renewed?: boolean;
  readonly carried?: number | 'what was over the limit';
}

/** A state that a limiter may be in; and if another client's request has opened its window, when the one before ended. */
export interface Possibility<State> {
  readonly state: State;
  readonly openedAfter?: Interval;
}

/**
 * An algorithm as a set of possible states: whatever is not known stands in intervals. Pure: no clock, no I/O. All times are
 * epoch milliseconds of our clock. `at` is the time from the first sending to the last response of a burst.
 */
export interface LimiterModel<State> {
  /** Before anything is known, and what it costs to assume so: what was sent earlier with the key is not in the history. */
  initial(at: Interval): ReadonlyArray<{ readonly state: State; readonly cost: number }>;
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
}

/** A model whose states only itself looks into. */
export type AnyModel = LimiterModel<unknown>;

/** The limiter of an algorithm with these limits. */
export const models = {
  'fixed window aligned to the clock': (quota: Quota): AnyModel => windows(quota, 'clock'),
  'fixed window from the first request': (quota: Quota): AnyModel => windows(quota, 'request'),
  'sliding log': (quota: Quota): AnyModel => slidingLog(quota),
  'sliding counter': (quota: Quota): AnyModel =>
    quota.parts ? slidingLog(quota) : windows(quota, 'clock', true),
  'token bucket': (quota: Quota): AnyModel => tokenBucket(quota),
} as const;

export type AlgorithmName = keyof typeof models;
export const algorithmNames = Object.keys(models) as readonly AlgorithmName[];

/** Whether all of a window comes back at once. */
export function isFixedWindow(name: AlgorithmName): boolean {
  return name.startsWith('fixed');
}
