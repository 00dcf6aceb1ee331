/** A limit and the window that it is for: one entry of section 8's table. */
export interface Quota {
  /** Requests admitted in one window. */
  readonly requests: number;
  /** The length of the window in milliseconds. */
  readonly windowMs: number;
}

/** How one caller stands with one quota. Times are epoch milliseconds. */
export interface Standing {
  readonly limit: number;
  /** Whole requests that would be admitted at once, never below 0. */
  readonly remaining: number;
  /** When the algorithm says that the limit resets; what `X-RateLimit-Reset` announces. */
  readonly resetsAt: number;
  /** The time from which the next request is admitted; not later than the given time if one remains. */
  readonly admitsAt: number;
}

/**
 * Counts the requests of one caller against one quota. Looking and counting are two steps, so that a limiter can be built
 * that lets time pass between them (the most common fault of limiters).
 */
export interface Counter {
  /** How the caller stands at this moment; counts nothing. */
  standing(at: number): Standing;
  /** Counts one request, whether or not one remained. */
  count(at: number): void;
  /** Takes back the request counted last, for answers that do not use up the limit. */
  giveBack(at: number): void;
}

/** An algorithm of rate limiting: a fresh counter for a quota. */
export type Algorithm = (quota: Quota) => Counter;
