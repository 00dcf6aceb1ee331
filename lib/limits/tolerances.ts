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
  /** Other clients that are seen more often than this in a run are there again the next time. */
  steadyOthers: 6,
  /** A request so long after the end of a Retry-After comes just then (LIMIT-05): what comes later proves nothing. */
  justThenMs: 1_000,
  /** A second's grace after Reset (LIMIT-14). */
  afterResetMs: 1_000,
  /** A bucket or a sliding counter holds fractions, and Remaining may be rounded either way. */
  remainingRounding: 1,
} as const;

/** Requests that overlap: from so many on they try concurrency, and not only a slow target with a few connections. */
export const concurrentFrom = 12;
