/** The window of a plan's requests per minute. */
export const minuteMs = 60_000;

/** Every margin of the judge, with its reason. Times are milliseconds. */
export const tolerances = {
  /** Reset is rounded down, up, or up and one more; a little for the way there. */
  resetRoundingMs: 1_100,
  /** Retry-After and Reset may be rounded in opposite directions (LIMIT-06). */
  agreementMs: 2_000,
  /** Rounding, and the last share of a window that slides, may make a wait longer than the window (LIMIT-04). */
  longestWaitMs: 2_500,
  /** How many may be missing of a restored window: what a request costs is another requirement's (LIMIT-09). */
  restoredShort: 4,
  /** Requests within this time of each other show a fall of Remaining, whatever comes back meanwhile. */
  quickMs: 500,
  /** Other clients that are seen more often than this in a run are there again the next time. */
  steadyOthers: 6,
  /** Which share of a limit other clients may have used up by the time of a burst, if no Remaining shows them. */
  shareOfOthers: 1 / 3,
  /**
   * In such a share of a short window no more than so many times its limit are admitted: another one rarely begins just then,
   * and of what other clients use the run may get a little more another time.
   */
  atOnceIn: { share: 1 / 20, times: 5 / 4 },
  /** Nodes that take requests by turns; what needs more of them is a Remaining that does not fall. */
  mostNodes: 8,
  /** Other clients have a rate if Remaining has shown them so often, and so many of their requests. */
  knownRate: { seen: 2, count: 3 },
  /** A second's grace after Reset (LIMIT-14). */
  afterResetMs: 1_000,
  /** Findings of one kind within this time of each other are one event, for example all of one burst. */
  stretchMs: 500,
  /** A bucket or a sliding counter holds fractions, and Remaining may be rounded either way. */
  remainingRounding: 1,
  /** Possible states that a replay follows at once; one that costs so much more than the best is not followed. */
  states: 12,
  hopeless: 25,
} as const;

/**
 * What a finding costs a hypothesis: the first of a stretch, and each further one. The prices are lengths of a description, in
 * bits as far as that can be said: the cheapest explanation is the one that has to invent least. Verdicts do not hang on them
 * (varied from half to double, the same faults are found).
 */
export const prices = {
  /** Nobody else's requests can make a limiter admit more. */
  excess: { first: 20, further: 0.02 },
  /** A limiter rejects without a reason. */
  'spurious rejection': { first: 10, further: 1 },
  /** A header may be wrong by itself, without the limiter being wrong. */
  'remaining too high': { first: 7, further: 0.02 },
  /** Other clients, just then and just so many, and nothing shows them. */
  'filled by others': { first: 6, further: 6 },
  /** Other clients that Remaining shows: plausible. Each also costs ½·log2 of their number: one is likelier than 59. */
  'hidden requests': { first: 1.2, further: 0.5 },
  /** Reset names another time: it tells algorithms apart, and convicts nobody of a wrong limit. */
  'other time': { first: 3, further: 0.02 },
} as const;

/** What a hypothesis costs by itself. */
export const hypothesisPrices = {
  /** The key was used before the history begins; and for each bit of the number of requests. */
  past: 0.3,
  /** What a coincidence adds at the most, unless a look can settle it. */
  mostCoincidence: 2,
  /** A clock that goes by steps: there are many lengths. */
  steps: 3,
  /** Windows that begin at another moment than the clock's full minute. */
  otherPhase: 1,
  /** Ties: errors usually count, rejected requests usually don't. */
  errorsFree: 0.1,
  rejectedCharged: 0.1,
} as const;

/**
 * What is added if other clients had only so many milliseconds: the shorter the time, the less likely, in bits. At a moment
 * that clients know, as a full minute is, they come within some two seconds; not within the few milliseconds of their way.
 */
export function coincidence(milliseconds: number, isKnown: boolean): number {
  const time = Math.max(1, milliseconds);
  return isKnown ? Math.log2(1 + 2_000 / time) : Math.max(0, Math.log2(60_000 / time));
}

/** Requests that overlap: from so many on they try concurrency, and not only a slow target with a few connections. */
export const concurrentFrom = 12;

/** What it costs to assume that a limiter is wrong: a conforming one is likelier. */
export const deviationPrices = {
  /** The commonest mistake. */
  offByOne: 0.5,
  usual: 2,
  /** Ties: who does not count an operation does not reject it either. */
  exempt: 2.1,
  rare: 3,
  /** A header that is wrong by itself explains away whatever it says. */
  header: 4,
  /** A number that is taken from one rejection explains it whatever it is: it takes a second one to show it. */
  fitted: 7,
  /** Each request that a leaking limiter lets through. */
  leaked: 0.3,
} as const;

/** By how much an explanation must be better (rules M, G and S in README.md). */
export const ranking = {
  /** A deviation wins if it is cheaper than its conforming twin by this, in total and in behaviour. */
  margin: 3,
  /** Deviations this near to the cheapest explain as much, but for what arithmetic leaves of fractions. */
  tied: 0.01,
  /** A deviation that is cheaper by this leaves a verdict open, and is worth another look. */
  rival: 0.5,
  /** Conforming explanations this near to the best are still possible. */
  near: 6,
  /** Explanations this near to the best are named beside it (LIMIT-11). */
  named: 1,
  /** Whether errors or rejected requests count is stated if the other way is dearer by this (LIMIT-13). */
  stated: 1,
  /** Above this the best conforming explanation has something to explain: deviations are tried. */
  suspicious: 1,
  /** Above this the best conforming explanation invents so much that a limiter which admits more is tried, too. */
  invented: 12,
  /** A larger limit is only tried with algorithms that explain the history nearly as well as the best: others it would excuse. */
  largerLimit: 22,
  /** A deviation may leave this share of what the best conforming explanation leaves unexplained. */
  leftUnexplained: 0.4,
  /** What Reset may add to the cost of an explanation. */
  mostTimes: 8,
  /** Above this, less usual conforming limiters are tried (a clock that goes by steps, another phase). */
  unusual: 2,
} as const;
