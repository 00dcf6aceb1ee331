import { highestRemaining, isRejected, reportsRemaining, type History } from '../history/history.js';
import { algorithmNames, isFixedWindow, type AlgorithmName } from '../limiter/algorithms.js';
import { bits } from '../tolerances.js';
import { deviationsOf } from './deviations.js';
import { follow } from './follow.js';
import {
  admitsTooMuch,
  countOf,
  findingsOf,
  habits,
  type Deviation,
  type Explanation,
  type Hypothesis,
} from './hypothesis.js';

/** What the history of one key says about its limiter. */
export interface Diagnosis {
  readonly history: History;
  /** Conforming explanations, the cheapest first. */
  readonly conforming: readonly Explanation[];
  /** Faulty explanations that are as good as the best conforming one, or nearly, the cheapest first. */
  readonly faulty: readonly Explanation[];
  /** The explanation that the report names: a faulty one if it wins, otherwise the best conforming one. */
  readonly best: Explanation;
  /** The conforming hypothesis of the same algorithm as `best`. */
  readonly twin: Explanation;
  /** Explanations nearly as good as the best: what one of them explains convicts nobody. */
  readonly possible: readonly Explanation[];
  /** Set if the best explanation is a deviation. */
  readonly deviation: Deviation | undefined;
  /** Deviations that explain better than any conforming limiter, but not by enough to convict it. */
  readonly rivals: readonly Explanation[];
  /** Requests of other clients that Remaining shows in the best explanation. */
  readonly otherTraffic: number;
}

/**
 * Explains a history: which conforming limiter can have answered like this, or what else the limiter behaves like. Pure and
 * deterministic, so a recorded run is judged again with the same result.
 */
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

/** Of explanations, those that are near to the best of them, in order. */
export function nearest(
  explanations: readonly Explanation[],
  near: number = bits.near,
): readonly Explanation[] {
  const least = Math.min(...explanations.map(({ total }) => total));
  return explanations.filter(({ total }) => total - least <= near);
}

/** The odds: a faulty explanation convicts if it beats everything that conforms, known or not. */
function convicts(winner: Explanation, history: History, conforming: readonly Explanation[]): boolean {
  const [first] = conforming;
  const { deviation, limit } = winner.hypothesis;
  if (!first || !deviation) return false;
  const most = Math.max(winner.total + bits.lemma, first.total + bits.odds);
  const near = conforming.filter(({ total }) => total <= most);
  // How often more was admitted than there was room for: what follows quickly is one event.
  const events = near.map((one) => findingsOf(one, 'excess').filter(({ bits: cost }) => cost > bits.further));
  const unknown = bits.unknown + Math.min(...events.map(({ length }) => length)) * bits.unknownExcess;
  if (winner.total + bits.odds > Math.min(first.total, unknown)) return false;
  // The lemma: other clients never make a limiter admit more.
  if (deviation.admits === 'more') return near.every(admitsTooMuch);
  if (!isSeenFresh(winner, history)) return false;
  // Whoever had the time may have used up the few that are missing of a limit, or what a burst has not got.
  const isFew = deviation.id === 'limit' && 2 * limit > history.plan.perMinute;
  const isLock = deviation.id === 'lock';
  if ((isFew && !hadNoTime(first)) || areOthersSeen(isLock ? first : winner, history)) return false;
  const atLeisure = isFew || isLock ? Math.min(first.others, bits.mostOthers) : 0;
  return winner.total + bits.odds <= first.total - atLeisure;
}

/** Other clients that are seen so often, or use so much, may have used up what is missing as well. */
const seenOften = 4;

function areOthersSeen(one: Explanation, { plan }: History): boolean {
  const seen = findingsOf(one, 'hidden requests');
  return seen.length >= seenOften || 2 * countOf(seen) >= plan.perMinute;
}

/** In less than so many milliseconds nobody comes. */
const hardlyMs = 50;

/** Whether other clients, if it was them, came in a time in which nobody comes. */
function hadNoTime(one: Explanation): boolean {
  const others = findingsOf(one, 'hidden requests', 'filled by others');
  return others.some(({ within = hardlyMs }) => within < hardlyMs);
}

/**
 * Whether Remaining has shown the limit whole, if it is the limit that is too low, and at least half of it otherwise: of a key
 * that is always used up nobody can tell by whom.
 */
function isSeenFresh({ hypothesis }: Explanation, { own }: History): boolean {
  const { limit, shownLess, deviation } = hypothesis;
  const most = highestRemaining(own) + 1 + shownLess;
  const isWhole = /^(limit|lock)$/u.test(deviation?.id ?? '');
  return reportsRemaining(own) && (isWhole ? most >= limit : 2 * most >= limit);
}

export function plainHypothesis({ plan, windowMs }: History, algorithm: AlgorithmName): Hypothesis {
  return {
    algorithm,
    bits: 0,
    limit: plan.perMinute,
    windowMs,
    chargesRejected: false,
    uncharged: new Set(),
    rules: {},
    partition: 'none',
    shownLess: 0,
    believesRemaining: true,
  };
}

/** The usual limiters that conform: of each algorithm those whose rejections count and don't. In a fixed window they change nothing. */
function usualHypotheses(history: History): Hypothesis[] {
  const { own, clock } = history;
  return algorithmNames.flatMap((name) => {
    // By a clock that nobody knows a counter explains nearly everything.
    if (name === 'sliding counter' && !clock) return [];
    const plain = plainHypothesis(history, name);
    const isSame = isFixedWindow(name) || !own.some(isRejected);
    return isSame ? [plain] : [plain, { ...plain, bits: bits.hardlyRarer, chargesRejected: true }];
  });
}

/** Above so many bits less usual conforming limiters are tried; and up to so many nothing faulty can be nearer. */
const unusual = 2;
const surely = 1;

/** The conforming explanations, the cheapest first. Less usual limiters are tried if the usual ones leave something open. */
function conformingExplanations(history: History): Explanation[] {
  const all = usualHypotheses(history).flatMap((hypothesis) => follow(hypothesis, history) ?? []);
  for (const [cost, changes] of habits) {
    const least = Math.min(...all.map(({ total }) => total));
    if (least <= unusual) break;
    const changed = all.flatMap((one) =>
      changes(one, history).map((change) => ({
        ...one.hypothesis,
        ...change,
        bits: one.hypothesis.bits + cost,
      })),
    );
    all.push(...changed.flatMap((one) => follow(one, history, least + bits.near) ?? []));
  }
  return all.toSorted(byTotal);
}

function byTotal(a: Explanation, b: Explanation): number {
  return a.total - b.total;
}

/** Faulty limiters that explain nearly as well as the best conforming one, the cheapest first. */
function faultyExplanations(history: History, conforming: readonly Explanation[]): Explanation[] {
  const [first] = conforming;
  const found: Explanation[] = [];
  if (!first || first.total <= surely) return found;
  let bound = first.total + bits.doubt;
  // A limiter that admits more is tried if one that conforms can't have admitted as much.
  const mayBeMore = admitsTooMuch(first);
  const deviations = deviationsOf(history).filter(({ admits }) => admits === 'less' || mayBeMore);
  for (const { hypothesis } of twinsOf(conforming))
    for (const deviation of deviations) {
      if (!hypothesis.algorithm.startsWith(deviation.only ?? '')) continue;
      const cost = hypothesis.bits + deviation.bits;
      const faulty = { ...hypothesis, ...deviation.change, bits: cost, deviation };
      const explanation = follow(faulty, history, bound);
      if (!explanation) continue;
      found.push(explanation);
      bound = Math.min(bound, explanation.total + bits.odds);
    }
  return found.toSorted(byTotal);
}

/**
 * Of each algorithm the best conforming explanations, of those whose rejections count and don't, and the same without any
 * habit: it may be the fault that makes errors seem free, or Remaining seem to be read too early. The cheapest comes first.
 */
function twinsOf(conforming: readonly Explanation[]): Explanation[] {
  const firsts = new Map<string, Explanation>();
  for (const one of conforming.toReversed()) {
    const { algorithm, chargesRejected, uncharged, shownLess, steps } = one.hypothesis;
    // What goes by steps differs by little.
    if (steps) continue;
    const isPlain = uncharged.size === 0 && shownLess === 0;
    firsts.set(`${algorithm} ${chargesRejected}`, one);
    if (isPlain) firsts.set(`${algorithm} ${chargesRejected} without a habit`, one);
  }
  return [...new Set(firsts.values())].toSorted(byTotal);
}
