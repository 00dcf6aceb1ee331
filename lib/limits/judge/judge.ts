import {
  contentErrors,
  highestRemaining,
  isAdmitted,
  isRejected,
  isServed,
  laggingClock,
  remainingOf,
  reportsRemaining,
  waitEnds,
  type History,
  type Observation,
} from '../history/history.js';
import { algorithmNames, isFixedWindow } from '../limiter/algorithms.js';
import { bits, both, tolerances, type Interval, type Steps } from '../tolerances.js';
import { deviationsOf } from './deviations.js';
import { follow } from './follow.js';
import {
  admitsTooMuch,
  countOf,
  findingsOf,
  isContradicted,
  nearest,
  plainHypothesis,
  type Deviation,
  type Explanation,
  type Hypothesis,
} from './hypothesis.js';

/** What the history of one key says about its limiter. */
export interface Diagnosis {
  readonly history: History;
  /** Explanations, the cheapest first: those that conform, and faulty ones that are as good, or nearly. */
  readonly conforming: readonly Explanation[];
  readonly faulty: readonly Explanation[];
  /** A faulty one if it wins, otherwise the best conforming one. */
  readonly best: Explanation;
  /** The conforming hypothesis of the same algorithm as `best`. */
  readonly twin: Explanation;
  /** Explanations nearly as good as the best: what one of them explains convicts nobody. */
  readonly possible: readonly Explanation[];
  /** That of the best explanation. */
  readonly deviation: Deviation | undefined;
  /** Deviations that explain as well as what conforms, or nearly, but convict nobody. */
  readonly rivals: readonly Explanation[];
  /** Requests of other clients that Remaining shows in the best explanation. */
  readonly otherTraffic: number;
}

/** Explains a history: which conforming limiter can have answered like this, or what else the limiter behaves like. */
export function diagnose(history: History): Diagnosis {
  const conforming = conformingExplanations(history);
  const [first] = conforming;
  if (!first) throw new Error('there is no conforming hypothesis');
  const faulty = faultyExplanations(history, conforming);
  const [winner] = faulty;
  const won = winner && convicts(winner, history, conforming) ? winner : undefined;
  const best = won ?? first;
  return {
    history,
    conforming,
    faulty,
    best,
    twin: conforming.find(({ hypothesis }) => hypothesis.algorithm === best.hypothesis.algorithm) ?? first,
    possible: nearest(won ? faulty : conforming, won ? bits.named : bits.near),
    deviation: won?.hypothesis.deviation,
    rivals: won ? [] : faulty.filter(({ total }) => total <= first.total + bits.doubt).slice(0, 3),
    otherTraffic: countOf(findingsOf(best, 'hidden requests')),
  };
}

/** The odds: a faulty explanation convicts if it beats everything that conforms, known or not. */
function convicts(winner: Explanation, history: History, conforming: readonly Explanation[]): boolean {
  const [first] = conforming;
  const { deviation, limit } = winner.hypothesis;
  if (!first || !deviation) return false;
  const most = Math.max(winner.total + bits.lemma, first.total + bits.odds);
  const near = conforming.filter(({ total }) => total <= most);
  // How often more was admitted than there was room for: what follows quickly is one event.
  const events = near.map(
    (one) => findingsOf(one, 'excess').filter(({ bits: cost }) => cost > bits.further).length,
  );
  const unknown = bits.unknown + bits.unknownExcess * Math.min(...events);
  const isMore = deviation.admits === 'more';
  // Whoever had the time may have used up the few that are missing.
  const isLimitOverHalf = deviation.id === 'limit' && 2 * limit > history.plan.perMinute;
  const isFew = ({ findings }: Explanation): boolean =>
    !isMore &&
    (isLimitOverHalf ||
      (findings.every(({ kind }) => kind === 'hidden requests') &&
        countOf(findings) <= tolerances.fewOthers));
  const known = Math.min(...conforming.map((one) => one.total - (isFew(one) ? one.atLeisure : 0)));
  if (winner.total + bits.odds > Math.min(known, unknown)) return false;
  // The lemma: other clients never make a limiter admit more.
  return isMore ? near.every(admitsTooMuch) : isSeenAlone(winner, history);
}

/**
 * Whether Remaining has shown half of the limit, or has come up to a lower one, and no other clients who come often or use as
 * much: of a key that is always used up nobody can tell by whom.
 */
function isSeenAlone(one: Explanation, { own, plan }: History): boolean {
  const { limit, shownLess } = one.hypothesis;
  const seen = highestRemaining(own) + 1 + shownLess;
  const isSeen = limit < plan.perMinute ? seen >= limit - 1 : 2 * seen >= limit;
  const others = findingsOf(one, 'hidden requests');
  return isSeen && others.length < tolerances.steadyOthers && 2 * countOf(others) < plan.perMinute;
}

/** The usual limiters that conform: of each algorithm those whose rejections count and don't. In a fixed window they change nothing. */
function usualHypotheses(history: History): Hypothesis[] {
  const { own, clock } = history;
  return algorithmNames.flatMap((name) => {
    // By a clock that nobody knows a counter explains nearly everything.
    if (name === 'sliding counter' && !clock) return [];
    const plain = plainHypothesis(history, name);
    if (isFixedWindow(name) || !own.some(isRejected)) return [plain];
    return [plain, { ...plain, bits: bits.hardlyRarer, chargesRejected: true }];
  });
}

/** What less usual limiters do that conform: how one that explains a history may do otherwise. */
type Habit = (
  one: Pick<Explanation, 'hypothesis' | 'findings'>,
  history: History,
) => ReadonlyArray<Partial<Hypothesis>>;

/** In the order in which they are tried, with what each costs. */
const habits: ReadonlyArray<readonly [cost: number, habit: Habit]> = [
  // Remaining is read before the request is counted: all is left behind one.
  [bits.habit, (_one, { own }) => (own.some(leavesAll) ? [{ shownLess: -1 }] : [])],
  [bits.habit, otherPhase],
  [bits.hardlyRarer, freeErrors],
  // A clock that is ahead of the `Date` that it writes.
  [bits.habit, (_one, { clock }) => (laggingClock(clock) ? [{ clock: laggingClock(clock) }] : [])],
  [bits.steps, bySteps],
  // A sliding counter that sums parts of a window.
  [
    bits.inParts,
    (one) => (one.hypothesis.algorithm === 'sliding counter' && isContradicted(one) ? inParts : []),
  ],
];

/** Seconds after which a bucket is refilled, or a log forgets, if not evenly: a minute is divided into so many. */
const divisions = [1, 2, 3, 5, 6, 10, 12, 15, 20, 30];
const inParts = divisions.map((length) => ({ partMs: length * 1_000 }));

const leavesAll = (one: Observation): boolean =>
  isServed(one) && one.headers.limit !== undefined && one.headers.remaining === one.headers.limit;

/** Windows that do not begin with the clock's minute: they end as each Reset, or wait, says, if all agree. */
function otherPhase({ hypothesis }: Pick<Explanation, 'hypothesis'>, { own, windowMs, ...history }: History) {
  if (!/clock|counter/u.test(hypothesis.algorithm)) return [];
  const clock = laggingClock(history.clock) ?? history.clock;
  const rounded = tolerances.resetRoundingMs;
  const phases = own.flatMap((one): Interval[] => {
    const { reset, period } = one.headers;
    if (reset !== undefined && clock && period === 'minute')
      return [[clock[0] - reset - rounded, clock[1] - reset + rounded]];
    const wait = isRejected(one) ? waitEnds(one, clock) : undefined;
    return wait === undefined ? [] : [[-wait - rounded, 2 * rounded - wait]];
  });
  const phase = beginOf(windowMs, phases);
  return phase ? [{ phase }] : [];
}

/** Errors that use nothing, or give back what they have used. */
function freeErrors(_one: unknown, { own }: History) {
  const errors = own.flatMap((one, index) =>
    isAdmitted(one) && contentErrors.has(one.status ?? 0) ? [index] : [],
  );
  const remainingAt = (index: number): number => own[index]?.headers.remaining ?? Number.NaN;
  // Around one that is counted Remaining falls by two.
  const counted = errors.filter((index) => remainingAt(index - 1) - remainingAt(index + 1) > 1);
  return 2 * counted.length < errors.length ? [{ uncharged: contentErrors }] : [];
}

/** When Remaining rose from one request to the next, or one was admitted behind a rejection: something came back. */
function risesIn(own: readonly Observation[]): Interval[] {
  const leftBehind = (one: Observation): number | undefined => (isRejected(one) ? 0 : remainingOf(one));
  return own.slice(1).flatMap((one, index): Interval[] => {
    const last = own[index];
    const isTelling = last && isServed(one) && (isServed(last) || isRejected(last));
    if (!isTelling || last.receivedAt > one.sentAt) return [];
    const rises = (leftBehind(one) ?? 0) > (leftBehind(last) ?? Infinity) - 1;
    return rises ? [[last.sentAt, one.receivedAt]] : [];
  });
}

/** A step that begins at a time known no better than this share of its length would excuse all that comes with it. */
const knownShare = 1 / 3;

/** When one of the steps of a length begins, as all of these times show in which one did; undefined if they do not agree. */
function beginOf(lengthMs: number, times: readonly Interval[]): Interval | undefined {
  const [first, ...others] = times.filter(([from, to]) => to - from < lengthMs);
  const begin = others.reduce<Interval | undefined>((known, [from, to]) => {
    if (!known) return undefined;
    const steps = Math.round((known[0] + known[1] - from - to) / 2 / lengthMs) * lengthMs;
    return both(known, [from + steps, to + steps]);
  }, first);
  return begin && begin[1] - begin[0] <= knownShare * lengthMs ? begin : undefined;
}

/** A clock of whole seconds; and longer steps: of a bucket at any time, of a log by the clock. */
export function bySteps(
  explanation: Parameters<Habit>[0],
  { own, ...history }: History,
): Array<{ readonly steps: Steps }> {
  const { algorithm, clock = history.clock } = explanation.hypothesis;
  const byClock = clock && ([-clock[1], -clock[0]] as const);
  const seconds = { steps: { ms: 1_000, from: byClock } };
  const isBucket = algorithm === 'token bucket';
  // Without Remaining a log in parts would explain each window that is too short.
  const isLog = algorithm === 'sliding log' && byClock && reportsRemaining(own);
  // Longer steps show by more or less at once than comes back evenly.
  if (!(isBucket || isLog) || !isContradicted(explanation)) return [seconds];
  // A few rejections before others are admitted fit steps of any length.
  const rises = reportsRemaining(own) ? risesIn(own) : [];
  const [first] = own;
  const byFirst = first && ([first.sentAt, first.receivedAt] as const);
  const begun = isLog ? [byClock] : [byClock, byFirst, undefined];
  const longer = begun.flatMap((known) =>
    divisions.flatMap((length) => {
      const from = beginOf(length * 1_000, [...(known ? [known] : []), ...rises]);
      return from ? [{ steps: { ms: length * 1_000, from } }] : [];
    }),
  );
  return [seconds, ...longer];
}

/** Up to so many bits nothing is left to explain: no less usual limiter, nor a faulty one, can be nearer. */
const settled = 2;
const byTotal = (a: Explanation, b: Explanation): number => a.total - b.total;

/** So many explanations of each algorithm are tried with a further habit. */
const beam = 8;

/** The conforming explanations, the cheapest first. Less usual limiters are tried if the usual ones leave something open. */
function conformingExplanations(history: History): Explanation[] {
  const all = usualHypotheses(history).flatMap((hypothesis) => follow(hypothesis, history) ?? []);
  for (const [cost, habit] of habits) {
    all.sort(byTotal);
    if (all.every(({ total }) => total > settled)) all.push(...withHabit(cost, habit, all, history));
  }
  return all.sort(byTotal);
}

/** The best of each algorithm with one habit more. An algorithm that needs two may be far from the others with one. */
function withHabit(cost: number, habit: Habit, all: readonly Explanation[], history: History): Explanation[] {
  return algorithmNames.flatMap((name) => {
    const best = all.filter(({ hypothesis }) => hypothesis.algorithm === name).slice(0, beam);
    return best.flatMap((one) =>
      habit(one, history).flatMap((change) => {
        const changed = { ...one.hypothesis, ...change, bits: one.hypothesis.bits + cost };
        return follow(changed, history, (best[0]?.total ?? 0) + bits.near) ?? [];
      }),
    );
  });
}

/** Faulty limiters that explain nearly as well as the best conforming one, the cheapest first. */
function faultyExplanations(history: History, conforming: readonly Explanation[]): Explanation[] {
  const [first] = conforming;
  const found: Explanation[] = [];
  if (!first || first.total <= settled) return found;
  let bound = first.total + bits.doubt;
  // A limiter that admits more is tried if one that conforms can't have admitted as much.
  const mayBeMore = admitsTooMuch(first);
  const deviations = deviationsOf(history).filter(({ admits }) => admits === 'less' || mayBeMore);
  for (const { hypothesis } of twinsOf(conforming))
    for (const deviation of deviations) {
      const { change, bits: cost } = deviation;
      // Only windows begin anew, or with something used.
      if ((change.renewedBy ?? change.carried) && !isFixedWindow(hypothesis.algorithm)) continue;
      // Two windows are what a sliding counter looks back on.
      if (hypothesis.algorithm === 'sliding counter' && (change.windowMs ?? 0) > history.windowMs) continue;
      const faulty = { ...hypothesis, ...change, bits: hypothesis.bits + cost, deviation };
      const explanation = follow(faulty, history, bound);
      if (!explanation) continue;
      found.push(explanation);
      bound = Math.min(bound, explanation.total + bits.odds);
    }
  return found.toSorted(byTotal);
}

/**
 * The best conforming explanations of each algorithm, and the best without what may look like a habit and be the fault: errors
 * that seem free, or a Remaining that seems to be read too early. The cheapest comes first.
 */
function twinsOf(conforming: readonly Explanation[]): Explanation[] {
  const firsts = new Map<string, Explanation>();
  for (const one of conforming.toReversed()) {
    const { algorithm, chargesRejected, uncharged, shownLess, steps, partMs } = one.hypothesis;
    // What goes by steps differs by little, and what sums parts may be the fault.
    if (steps ?? partMs) continue;
    firsts.set(`${algorithm} ${chargesRejected}`, one);
    if (uncharged.size === 0 && shownLess === 0) firsts.set(`plain ${algorithm} ${chargesRejected}`, one);
  }
  return [...new Set(firsts.values())].toSorted(byTotal);
}
