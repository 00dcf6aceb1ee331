import type { History } from '../history/history.js';
import { contentErrors, isAdmitted, isRejected, reportsRemaining } from '../history/observation.js';
import { exactly, type Interval } from '../interval.js';
import { algorithmNames, isFixedWindow, type AlgorithmName } from '../limiter/limiter.js';
import { hypothesisPrices, ranking, tolerances } from '../tolerances.js';
import { deviationsOf } from './deviations.js';
import {
  contradictions,
  contradictionsIn,
  findingsOf,
  totalOf,
  type Deviation,
  type Diagnosis,
  type Explanation,
  type Hypothesis,
} from './hypothesis.js';
import { replay, type ReplayOptions } from './replay.js';

/**
 * Explains a history: which conforming limiter can have answered like this, or what else the limiter behaves like. Pure and
 * deterministic, so a recorded run is judged again with the same result.
 */
export function diagnose(history: History): Diagnosis {
  const conforming = conformingExplanations(history);
  const [first] = conforming;
  if (!first) throw new Error('there is no conforming hypothesis');
  const { won, rivals } = deviating(history, conforming);
  const [best = first] = won;
  const opening = history.own[0]?.headers;
  return {
    history,
    conforming,
    best,
    twin: conforming.find(({ hypothesis }) => hypothesis.algorithm === best.hypothesis.algorithm) ?? first,
    possible: won.length > 0 ? won : nearest(conforming),
    deviation: best.hypothesis.deviation,
    rivals,
    past:
      opening?.remaining === undefined || opening.period !== 'minute'
        ? undefined
        : Math.max(0, history.plan.perMinute - 1 - opening.remaining),
    otherTraffic: findingsOf(best, 'hidden requests').reduce((sum, { count }) => sum + count, 0),
  };
}

/** Of explanations, those that are near to the best of them, in order. */
export function nearest(
  explanations: readonly Explanation[],
  near: number = ranking.near,
): readonly Explanation[] {
  const least = leastOf(explanations);
  return explanations.filter((one) => totalOf(one) - least <= near);
}

function leastOf(explanations: readonly Explanation[]): number {
  return Math.min(...explanations.map(totalOf));
}

export function plainHypothesis({ plan, windowMs }: History, algorithm: AlgorithmName): Hypothesis {
  return {
    algorithm,
    limit: plan.perMinute,
    capacity: plan.perMinute,
    windowMs,
    chargesRejected: false,
    uncharged: new Set(),
    rules: {},
    partition: 'none',
    shownLess: 0,
    believesRemaining: true,
  };
}

/** What a hypothesis costs by itself. */
function assumed({ steps, parts, otherPhase, uncharged, chargesRejected, deviation }: Hypothesis): number {
  return (
    (steps || parts ? hypothesisPrices.steps : 0) +
    (otherPhase ? hypothesisPrices.otherPhase : 0) +
    (uncharged.size === 0 ? 0 : hypothesisPrices.errorsFree) +
    (chargesRejected ? hypothesisPrices.rejectedCharged : 0) +
    (deviation?.cost ?? 0)
  );
}

export function explained(
  history: History,
  hypothesis: Hypothesis,
  { bound = Number.POSITIVE_INFINITY, without }: ReplayOptions = {},
  extra = 0,
): Explanation | undefined {
  const cost = assumed(hypothesis) + extra;
  const explanation = replay(hypothesis, history, { bound: bound - cost, without });
  return explanation && { ...explanation, behaviour: explanation.behaviour + cost };
}

/** The conforming explanations, the cheapest first. Less usual limiters are tried if the usual ones leave something open. */
function conformingExplanations(history: History): Explanation[] {
  const rejects = history.own.some(({ outcome }) => outcome === 'rejected');
  const usual = algorithmNames.flatMap((name) => {
    const plain = plainHypothesis(history, name);
    // In a fixed window a rejected request changes nothing.
    return rejects && !isFixedWindow(name) ? [plain, { ...plain, chargesRejected: true }] : [plain];
  });
  const replayed = (hypotheses: readonly Hypothesis[], options?: ReplayOptions): Explanation[] =>
    hypotheses.flatMap((hypothesis) => explained(history, hypothesis, options) ?? []);
  // What explains everything needs no comparison with what explains little.
  const quick = replayed(usual, { bound: ranking.near + ranking.suspicious });
  if (quick.some((one) => totalOf(one) <= hypothesisPrices.rejectedCharged)) return quick.toSorted(byTotal);
  const all = replayed(usual);
  if (mayBeFree(history)) {
    // Errors are free if counting them contradicts, and not because other clients would do.
    const hidden = (one: Explanation): number => findingsOf(one, 'hidden requests').length;
    const free = all.flatMap((one) =>
      replayed(
        [false, true].map((givesBackLate) => ({
          ...one.hypothesis,
          uncharged: contentErrors,
          givesBackLate,
        })),
      ).filter(
        (other) =>
          hidden(other) <= hidden(one) ||
          (!other.hypothesis.givesBackLate && contradictionsIn(other) < contradictionsIn(one)),
      ),
    );
    all.push(...free);
  }
  if (Math.min(...all.map(totalOf)) > ranking.unusual) {
    const hypotheses = all.map(({ hypothesis }) => hypothesis);
    const aligned = hypotheses.filter(({ algorithm }) => algorithm === 'fixed window aligned to the clock');
    // They excuse much: only what leaves nothing to excuse speaks for them, and a Reset that names their times.
    const unusual = replayed(
      [
        ...(history.clock ? aligned.map((one) => ({ ...one, otherPhase: true })) : []),
        ...all.flatMap((one) => [...steppedOf(one, history), ...inPartsOf(one, history)]),
      ],
      { without: contradictions },
    );
    const isNamed = ({ hypothesis: { algorithm }, times, findings }: Explanation): boolean =>
      algorithm.startsWith('sliding') ? findings.length === 0 : times < ranking.margin;
    all.push(...unusual.filter((one) => one.hypothesis.steps?.ms === 1_000 || isNamed(one)));
  }
  return all.toSorted(byTotal);
}

/** Whether errors may use nothing: behind most of them Remaining falls by no more than the next request uses. */
function mayBeFree({ own }: History): boolean {
  const errors = [...own.entries()].filter(
    ([, one]) => isAdmitted(one) && contentErrors.has(one.status ?? 0),
  );
  const counted = errors.filter(([index]) => {
    const [before, next] = [own[index - 1], own[index + 1]];
    const [was = 0, is = was] = [before, next].map((one) => one?.headers.remaining);
    return was - is > (next && !isRejected(next) ? next.count : 0);
  });
  return errors.length > 0 && 2 * counted.length <= errors.length;
}

/** Seconds after which a bucket is refilled, or a log forgets, if not evenly: a minute is divided into so many. */
const divisions = [1, 2, 3, 5, 6, 10, 12, 15, 20, 30];

/** The same limiter by a clock of whole seconds; and one that goes by longer steps, from the first request on or by the clock. */
export function steppedOf(
  { hypothesis, findings }: Pick<Explanation, 'hypothesis' | 'findings'>,
  { clock, own }: History,
): Hypothesis[] {
  const [first] = own;
  const by = (ms: number, from: Interval | undefined): Hypothesis => ({ ...hypothesis, steps: { ms, from } });
  const seconds = by(1_000, clock && [-clock[1], -clock[0]]);
  const isBucket = hypothesis.algorithm === 'token bucket';
  // Without Remaining a log in parts would explain each window that is too short.
  const comesBack = isBucket || (reportsRemaining(own) && hypothesis.algorithm === 'sliding log');
  // Longer steps show by more or less at once than comes back evenly.
  if (!comesBack || contradictionsIn({ findings }) === 0) return [seconds];
  // At the end of a step, a clock that is not quite known would excuse all of it.
  const begins = clock ? [0, 0.5, 1].map((part) => exactly(-clock[0] - part * (clock[1] - clock[0]))) : [];
  if (isBucket && first) begins.push([first.sentAt, first.receivedAt]);
  return [seconds, ...begins.flatMap((from) => divisions.map((length) => by(length * 1_000, from)))];
}

/** Parts by which the window of a sliding counter slides, if not by itself: of more, a log could be made. */
const partsOfWindow = [2, 3, 4, 6];

/** Without Remaining they would explain a limit that is too small. */
function inPartsOf({ hypothesis }: Explanation, { own }: History): Hypothesis[] {
  if (!reportsRemaining(own) || hypothesis.chargesRejected || hypothesis.algorithm !== 'sliding counter')
    return [];
  return partsOfWindow.map((parts) => ({ ...hypothesis, parts }));
}

function byTotal(a: Explanation, b: Explanation): number {
  return totalOf(a) - totalOf(b);
}

/** The deviations that explain better than any conforming limiter (rules M and G), or would if it were by more. */
function deviating(
  history: History,
  conforming: readonly Explanation[],
): Record<'won' | 'rivals', readonly Explanation[]> {
  const won: Explanation[] = [];
  const rivals: Explanation[] = [];
  const [first] = conforming;
  if (!first || totalOf(first) <= ranking.suspicious) return { won, rivals };
  const deviations = deviationsOf(history, conforming);
  const isSuspected = suspicion(history, conforming);
  // Reset names the algorithm, and convicts nobody: a conforming limiter that explains the behaviour acquits.
  const leastBehaviour = Math.min(...conforming.map(({ behaviour }) => behaviour));
  for (const twin of twinsOf(conforming)) {
    // What rejections use is as what conforms best has it, unless the other way explains more.
    const best = conforming.find(({ hypothesis }) => hypothesis.algorithm === twin.hypothesis.algorithm);
    const extra = best === twin ? 0 : hypothesisPrices.rejectedCharged;
    for (const deviation of deviations) {
      if (!isSuspected(deviation, twin)) continue;
      const wins = Math.min(leastOf(won) + ranking.tied, totalOf(first) - ranking.margin);
      const rivalled = Math.min(leastOf(rivals) + ranking.tied, totalOf(first) - ranking.rival);
      // Rule G: it may leave a share of what any that conforms leaves unexplained, and would admit and reject like this.
      const most = leastBehaviour * ranking.leftUnexplained + deviation.cost;
      const bound = Math.min(most + ranking.mostTimes, won.length > 0 ? wins : Math.max(wins, rivalled));
      const explanation = explained(
        history,
        { ...twin.hypothesis, steps: undefined, parts: undefined, ...deviation.change, deviation },
        { bound, without: ['excess', 'spurious rejection'] },
        extra,
      );
      if (!explanation || explanation.behaviour > most) continue;
      if (contradictionsIn(explanation) > contradictionsIn(first)) continue;
      // Who admits more needs no more of other clients.
      if (deviation.admits === 'more' && invented(explanation) > invented(twin) + ranking.margin) continue;
      // Rule M.
      const better = Math.min(
        totalOf(first) - totalOf(explanation),
        gain(twin, explanation, conforming),
        Math.min(...conforming.map(weight)) - weight(explanation),
      );
      if (better >= ranking.margin) won.push(explanation);
      else if (better >= ranking.rival) rivals.push(explanation);
    }
  }
  return { won: nearest(won, ranking.tied), rivals: won.length > 0 ? [] : nearest(rivals, ranking.tied) };
}

/** Whether what a conforming limiter leaves open suggests a deviation from it. */
function suspicion(
  history: History,
  conforming: readonly Explanation[],
): (deviation: Deviation, twin: Explanation) => boolean {
  const possible = nearest(conforming);
  const [first] = possible;
  // Without Remaining, a rejection that nothing explains is all that shows the limit.
  const isReported = reportsRemaining(history.own);
  const isTooMuch = possible.every((one) => findingsOf(one, 'excess', 'remaining too high').length > 0);
  const isContradicted = possible.every((one) => contradictionsIn(one) > 0);
  const isTooLittle = possible.every(({ behaviour }) => behaviour > ranking.suspicious);
  const othersShown = possible.every((one) => findingsOf(one, 'hidden requests').length > 0);
  return ({ admits, change }, twin) => {
    // Other clients that are seen may be why rejections go on.
    if (change.rejection === 'holds' && othersShown) return false;
    // Without Remaining, other clients may have used up what a burst is short of, but for most of it.
    const isShort = findingsOf(twin, 'filled by others').some(
      ({ burst, count }) => burst.overlapping && count > history.plan.perMinute * tolerances.shareOfOthers,
    );
    if (change.overlapping === 'rejected' && !isReported && !isShort) return false;
    if (!first || admits === 'less') return isTooLittle;
    // A shorter window also ends at other moments than those of the minute.
    if (change.windowMs !== undefined) return isTooMuch || isContradicted;
    const isExcess = findingsOf(twin, 'excess').length > 0;
    // Only more requests than the limit show a larger one.
    const isLarger = (change.limit ?? 0) > history.plan.perMinute;
    if (isLarger && (!isExcess || totalOf(twin) > totalOf(first) + ranking.largerLimit)) return false;
    // That nobody else is said to admit too much is worth little if all of them have to invent, and Reset names this one.
    const isInvented = totalOf(first) > ranking.invented && twin.times < ranking.margin;
    const byExcess = isExcess && (isInvented || (isContradicted && !isLarger));
    return isTooMuch || (isReported ? byExcess : isContradicted);
  };
}

/** What other clients cost an explanation. */
function invented(explanation: Explanation): number {
  return findingsOf(explanation, 'hidden requests', 'filled by others').reduce(
    (sum, { price }) => sum + price,
    0,
  );
}

/** What an explanation costs if Reset may say something beside the behaviour, but convicts nobody by itself. */
function weight({ behaviour, times }: Explanation): number {
  return behaviour + Math.min(times, ranking.margin);
}

/** A Remaining that is not believed explains away other clients too: only contradictions of every conforming limiter speak for it. */
function gain(twin: Explanation, explanation: Explanation, conforming: readonly Explanation[]): number {
  const { deviation } = explanation.hypothesis;
  if (deviation?.id !== 'remaining') return weight(twin) - weight(explanation);
  const cost = (one: Explanation): number =>
    findingsOf(one, 'excess', 'remaining too high').reduce((sum, { price }) => sum + price, 0);
  return Math.min(...conforming.map(cost)) - cost(explanation) - deviation.cost;
}

/**
 * Of each algorithm the best conforming explanations: of those whose rejections count and don't, and whose windows begin with
 * the clock's minute and don't. The cheapest comes first.
 */
function twinsOf(conforming: readonly Explanation[]): Explanation[] {
  return algorithmNames
    .flatMap((name) => {
      const same = conforming.filter(({ hypothesis }) => hypothesis.algorithm === name);
      const kinds = new Map(
        same.toReversed().map((one) => {
          const { chargesRejected, otherPhase } = one.hypothesis;
          return [`${String(chargesRejected)} ${String(otherPhase)}`, one];
        }),
      );
      return nearest([...kinds.values()]);
    })
    .toSorted(byTotal);
}
