/** Every value from `least` to `most` is possible. */
export type Interval = readonly [least: number, most: number];

export const exactly = (value: number): Interval => [value, value];
export const none = exactly(0);

export function plus([least, most]: Interval, [more, mostMore]: Interval): Interval {
  return [least + more, most + mostMore];
}

/** What both allow; undefined if they allow nothing together. */
export function both([a, b]: Interval, [c, d]: Interval): Interval | undefined {
  const least = Math.max(a, c);
  const most = Math.min(b, d);
  return least <= most ? [least, most] : undefined;
}

/** Stretches of so many milliseconds, one of which begins in `from`, if that is known. */
export interface Steps {
  readonly ms: number;
  readonly from: Interval | undefined;
}

/** When the stretch began in which something came. */
export function begunBy([first, last]: Interval, { ms, from }: Steps): Interval {
  if (!from) return [first - ms, last];
  const begun = (time: number, since: number): number => from[0] + Math.floor((time - since) / ms) * ms;
  return [begun(first, from[1]), begun(last, from[0])];
}

/** The window of a plan's requests per minute. */
export const minuteMs = 60_000;
export const dayMs = 86_400_000;

/** Every margin of the judge, with its reason. Times are milliseconds. */
export const tolerances = {
  /** Reset is rounded down, up, or up and one more; a little for the way there. */
  resetRoundingMs: 1_100,
  /** What is rounded to whole seconds names one moment with all that differs by no more. */
  roundedMs: 1_000,
  /** Retry-After and Reset may be rounded in opposite directions (LIMIT-06). */
  agreementMs: 2_000,
  /** Rounding, and the last share of a window that slides, may make a wait longer than the window (LIMIT-04). */
  longestWaitMs: 2_500,
  /** Requests within this time of each other show a fall of Remaining, whatever comes back; what is found at them is one event. */
  quickMs: 500,
  /** Other clients that are seen so often in a run may have used up what is missing, and are there again the next time. */
  steadyOthers: 4,
  /** So many requests of others, which Remaining shows, convict nobody. */
  fewOthers: 2,
  /** A request so long after the end of a Retry-After comes just then (LIMIT-05): what comes later proves nothing. */
  justThenMs: 1_000,
  /** A second's grace after Reset (LIMIT-14). */
  afterResetMs: 1_000,
  /** A bucket or a sliding counter holds fractions, and Remaining may be rounded either way. */
  remainingRounding: 1,
} as const;

/** Requests that overlap: from so many on they try concurrency, and not only a slow target with a few connections. */
export const concurrentFrom = 12;

/**
 * What an observation costs a hypothesis, and what a hypothesis costs by itself: the bits of a description, so that two
 * hypotheses are compared by the difference. Every number has its reason here.
 */
export const bits = {
  /** Nobody else's requests can make a limiter admit more: one chance in a million. */
  excess: 20,
  /** A limiter that rejects without a reason is rare, the rarer the more is left, and one that does so again is no rarer. */
  spurious: 7,
  mostLeft: 5,
  /** Remaining is above what can be left: nobody else's requests explain that either, though a header may be wrong by itself. */
  tooHigh: 19,
  /** Reset names another moment, once in a history or more often. */
  otherTime: 3,
  /** Findings of one kind within half a second are one event: each further one, and each further rejection. */
  further: 0.02,
  furtherRejection: 1,
  /** The key was used before the history begins; and for each bit of the number of requests. */
  past: 0.3,
  /** Other clients who had the time explain whatever is missing for so many bits in a whole history. */
  mostOthers: 12,
  /** A limiter that nobody here knows: one that conforms, and one that does not. */
  unknown: 13,
  /** What is added for each time it admitted more than any that is known: one by parts, say, may. */
  unknownExcess: 3,
  /** What a limiter costs that does what less usual ones do; and one that is hardly rarer than those that don't. */
  habit: 1,
  hardlyRarer: 0.1,
  /** A clock that goes by steps; and parts that fade, which explain nearly everything: they excuse hardly more than what nobody knows. */
  steps: 3,
  inParts: 12,
  /** The odds at which a requirement fails: 23 to 1. */
  odds: 4.5,
  /** A faulty limiter that is no further behind the best conforming one leaves a requirement open. */
  doubt: 2.5,
  /** Conforming explanations this near to a faulty one must be contradicted before too much convicts. */
  lemma: 12,
  /** Explanations this near to the best are possible, too; those this near are named beside it. */
  near: 6,
  named: 1,
  /** A hypothesis keeps so many states, and a state is given up when it is so much worse than the best. */
  states: 8,
  hopeless: 30,
} as const;

/** What is known of the other clients of a key: how many requests Remaining has shown, in how many milliseconds. */
export interface Others {
  readonly count: number;
  readonly ms: number;
}

/** Most keys have no other client: their requests come at a rate that is learnt, at first one in fifty in a minute. */
const shape = 0.02;
const exposureMs = 60_000;
/** Below so many milliseconds others hardly had the time. */
export const enoughMs = 2_000;

/**
 * How surprising so many requests of other clients are within some milliseconds: a Gamma–Poisson model, learnt as the history
 * goes on, or a crowd that comes at once.
 */
export function othersBits({ count, ms }: Others, requests: number, withinMs: number): number {
  const time = exposureMs + ms;
  const within = Math.max(1, withinMs);
  const each = -Math.log2(within / (time + within));
  let steady = (shape + count) * Math.log2((time + within) / time);
  for (let index = 0; index < requests && steady < bits.mostOthers; index += 1)
    steady += each - Math.log2((shape + count + index) / (index + 1));
  return Math.max(0, Math.min(bits.mostOthers, steady));
}
