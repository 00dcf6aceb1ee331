import { burstsOf, type History } from '../history/history.js';
import { contentErrors } from '../history/observation.js';
import { algorithmNames, isFixedWindow, type AlgorithmName } from '../limiter/models.js';
import { hypothesisPrices, ranking } from '../tolerances.js';
import { deviationsOf } from './deviations.js';
import type { Diagnosis, Explanation, Hypothesis, Traced } from './hypothesis.js';
import { contradictions, replay } from './replay.js';

/**
 * Explains a history: which conforming limiter can have answered like this, or what else the limiter behaves like. Pure and
 * deterministic, so a recorded run is judged again with the same result.
 */
export function diagnose(history: History): Diagnosis {
  const conforming = conformingExplanations(history);
  const [first] = conforming;
  if (!first) throw new Error('there is no conforming hypothesis');
  const { won, rival } = totalOf(first) > ranking.suspicious ? deviating(history, conforming) : noDeviation;
  const best = won?.explanation ?? first;
  const traced: Traced[] = [];
  replay(best.hypothesis, history, undefined, (one) => traced.push(one));
  const opening = history.own[0]?.headers;
  return {
    history,
    conforming,
    best,
    twin: won?.twin ?? first,
    deviation: won?.explanation.hypothesis.deviation,
    rival: won ? undefined : rival,
    bursts: burstsOf(history.own),
    traced,
    past:
      opening?.remaining === undefined || opening.period !== 'minute'
        ? undefined
        : Math.max(0, history.plan.perMinute - 1 - opening.remaining),
    otherTraffic: best.findings
      .filter(({ kind }) => kind === 'hidden requests')
      .reduce((sum, { count }) => sum + count, 0),
  };
}

/** Times count up to a bound: Reset names the algorithm, and convicts nobody. */
export function totalOf({ behaviour, times }: Explanation): number {
  return behaviour + Math.min(times, ranking.mostTimes);
}

export function plainHypothesis({ plan, windowMs }: History, algorithm: AlgorithmName): Hypothesis {
  return {
    algorithm,
    limit: plan.perMinute,
    capacity: plan.perMinute,
    windowMs,
    tickMs: 0,
    otherPhase: false,
    chargesRejected: false,
    uncharged: new Set(),
    rules: {},
    partition: 'none',
    shownLess: 0,
    believesRemaining: true,
    overlapping: 'counted',
    renewedBy: 'none',
    carried: 0,
    carriesMore: false,
    second: undefined,
    emptied: false,
    leaks: false,
  };
}

/** What a hypothesis costs by itself. */
function assumed({ tickMs, otherPhase, uncharged, chargesRejected, deviation }: Hypothesis): number {
  return (
    (tickMs > 0 ? hypothesisPrices.wholeSeconds : 0) +
    (otherPhase ? hypothesisPrices.otherPhase : 0) +
    (uncharged.size === 0 ? 0 : hypothesisPrices.errorsFree) +
    (chargesRejected ? hypothesisPrices.rejectedCharged : 0) +
    (deviation?.cost ?? 0)
  );
}

export function explained(history: History, hypothesis: Hypothesis, bound?: number): Explanation | undefined {
  const cost = assumed(hypothesis);
  const explanation = replay(hypothesis, history, bound === undefined ? undefined : bound - cost);
  return explanation && { ...explanation, behaviour: explanation.behaviour + cost };
}

/** The conforming explanations, the cheapest first. Less usual limiters are tried if the usual ones leave something open. */
function conformingExplanations(history: History): Explanation[] {
  const rejects = history.own.some(({ outcome }) => outcome === 'rejected');
  const errors = history.own.some(({ outcome, status }) => outcome === 'admitted' && (status ?? 0) >= 400);
  const usual = algorithmNames.flatMap((name) => {
    const plain = plainHypothesis(history, name);
    // In a fixed window a rejected request changes nothing.
    return rejects && !isFixedWindow(name) ? [plain, { ...plain, chargesRejected: true }] : [plain];
  });
  // What explains everything needs no comparison with what explains little.
  const quick = replayed(history, usual, ranking.near + ranking.suspicious);
  if (quick.some((one) => totalOf(one) <= hypothesisPrices.rejectedCharged / 2))
    return quick.toSorted(byTotal);
  let all = replayed(history, usual);
  const least = (): number => Math.min(...all.map(totalOf));
  const extend = (change: (hypothesis: Hypothesis) => Partial<Hypothesis> | undefined): void => {
    const more = all.flatMap(({ hypothesis }) => {
      const changed = change(hypothesis);
      return changed ? [{ ...hypothesis, ...changed }] : [];
    });
    all = [...all, ...replayed(history, more)];
  };
  if (errors) {
    extend(() => ({ uncharged: contentErrors }));
    // Errors that use the limit up are no other clients.
    const hidden = ({ findings }: Explanation): number =>
      findings.filter(({ kind }) => kind === 'hidden requests').length;
    all = all.filter(
      (one) =>
        one.hypothesis.uncharged.size === 0 ||
        all.some(
          (other) =>
            other.hypothesis.uncharged.size === 0 &&
            other.hypothesis.algorithm === one.hypothesis.algorithm &&
            other.hypothesis.chargesRejected === one.hypothesis.chargesRejected &&
            hidden(one) <= hidden(other),
        ),
    );
  }
  if (least() > ranking.unusual) {
    extend(() => ({ tickMs: 1000 }));
    extend(({ algorithm, tickMs }) =>
      tickMs === 0 && history.clock && algorithm === 'fixed window, aligned to the clock'
        ? { otherPhase: true }
        : undefined,
    );
    // Only Reset can tell another phase: one that it does not name is none.
    all = all.filter(({ hypothesis, times }) => !hypothesis.otherPhase || times < ranking.margin);
  }
  return all.toSorted(byTotal);
}

function replayed(history: History, hypotheses: readonly Hypothesis[], bound?: number): Explanation[] {
  return hypotheses.flatMap((hypothesis) => explained(history, hypothesis, bound) ?? []);
}

function byTotal(a: Explanation, b: Explanation): number {
  return totalOf(a) - totalOf(b);
}

/** How many events no limiter of the hypothesis explains, whatever other clients do. */
export function contradictionsIn({ findings }: Explanation): number {
  return findings.filter(({ kind }) => contradictions.includes(kind)).length;
}

interface Deviating {
  readonly won: { readonly explanation: Explanation; readonly twin: Explanation } | undefined;
  readonly rival: Explanation | undefined;
}
const noDeviation: Deviating = { won: undefined, rival: undefined };

/**
 * The deviation that explains better than any conforming limiter, if there is one. Rule M: it is cheaper than its twin and
 * than every other conforming explanation, in total and in behaviour. Rule G: it has no more contradictions than the best
 * conforming explanation.
 */
function deviating(history: History, conforming: readonly Explanation[]): Deviating {
  const [first] = conforming;
  if (!first) return noDeviation;
  let { won, rival } = noDeviation;
  const allowed = contradictionsIn(first);
  // Reset names the algorithm, and convicts nobody: a conforming limiter that explains the behaviour acquits.
  const leastBehaviour = Math.min(...conforming.map(({ behaviour }) => behaviour));
  const deviations = deviationsOf(history);
  for (const twin of twinsOf(conforming)) {
    const isFar = totalOf(twin) > totalOf(first) + ranking.largerLimit;
    for (const deviation of deviations) {
      if (isFar && deviation.id === 'limit' && deviation.blames.includes('LIMIT-02')) continue;
      const bound = won ? totalOf(won.explanation) : totalOf(rival ?? first) - (rival ? 0 : ranking.rival);
      const hypothesis = {
        ...twin.hypothesis,
        tickMs: 0 as const,
        otherPhase: false,
        ...deviation.change,
        deviation,
      };
      const explanation = explained(
        history,
        hypothesis,
        won ? bound : Math.max(bound, totalOf(first) - ranking.margin),
      );
      if (!explanation || contradictionsIn(explanation) > allowed) continue;
      // A limiter that is wrong in one way only would admit and reject like this.
      const { findings, behaviour } = explanation;
      if (findings.some(({ kind }) => kind === 'excess' || kind === 'spurious rejection')) continue;
      if (behaviour - deviation.cost > leastBehaviour * ranking.leftUnexplained) continue;
      const total = totalOf(explanation);
      const better = Math.min(
        totalOf(first) - total,
        gain(twin, explanation, conforming),
        leastBehaviour - explanation.behaviour,
      );
      if (better >= ranking.margin) {
        if (!won || total <= totalOf(won.explanation)) won = { explanation, twin };
      } else if (better >= ranking.rival && (!rival || total < totalOf(rival))) rival = explanation;
    }
  }
  return { won, rival };
}

/** A Remaining that is not believed explains away other clients too: only contradictions of every conforming limiter speak for it. */
function gain(twin: Explanation, explanation: Explanation, conforming: readonly Explanation[]): number {
  const { believesRemaining, deviation } = explanation.hypothesis;
  if (believesRemaining || deviation?.id !== 'remaining') return twin.behaviour - explanation.behaviour;
  const ofHeader: ReadonlySet<string> = new Set(['excess', 'remaining too high']);
  const cost = ({ findings }: Explanation): number =>
    findings.filter(({ kind }) => ofHeader.has(kind)).reduce((sum, { price }) => sum + price, 0);
  return Math.min(...conforming.map(cost)) - cost(explanation) - deviation.cost;
}

/** Of each algorithm the best conforming explanation, the cheapest first. */
function twinsOf(conforming: readonly Explanation[]): Explanation[] {
  return algorithmNames
    .flatMap((name) => conforming.find(({ hypothesis }) => hypothesis.algorithm === name) ?? [])
    .toSorted((a, b) => totalOf(a) - totalOf(b));
}
