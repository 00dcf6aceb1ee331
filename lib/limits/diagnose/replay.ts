import { burstsOf, type Burst, type History } from '../history/history.js';
import { models, type AnyModel } from '../limiter/limiter.js';
import { tolerances } from '../tolerances.js';
import {
  contradictionsIn,
  totalOf,
  type Explanation,
  type Finding,
  type Hypothesis,
  type Traced,
} from './hypothesis.js';
import { partOfEach } from './partition.js';
import { loadOf, waysOn, type Way } from './step.js';

interface ReplayOptions {
  /** Gives up, with undefined, above this total cost. */
  readonly bound?: number;
  /** Follows only ways without a contradiction; undefined if there is none. */
  readonly sound?: boolean;
}

/**
 * Lets a hypothesis follow a history: its explanation is the cheapest way through. What the limiter counts apart is followed
 * apart.
 */
export function replay(
  hypothesis: Hypothesis,
  history: History,
  options: ReplayOptions = {},
): Explanation | undefined {
  let sum: Explanation = { hypothesis, findings: [], traced: [], behaviour: 0, times: 0 };
  for (const bursts of partsOf(history, hypothesis.partition)) {
    const part = follow(bursts, sum, history, options);
    if (!part) return undefined;
    sum = {
      hypothesis,
      findings: [...sum.findings, ...part.findings],
      traced: [...sum.traced, ...part.traced],
      behaviour: sum.behaviour + part.behaviour,
      times: sum.times + part.times,
    };
  }
  return sum;
}

const known = new WeakMap<History, Partial<Record<Hypothesis['partition'], Burst[][]>>>();

/** The bursts of a history, apart for what is counted apart. */
function partsOf(history: History, by: Hypothesis['partition']): Burst[][] {
  const cached = known.get(history) ?? {};
  known.set(history, cached);
  return (cached[by] ??= partedBy(by, history));
}

function partedBy(by: Hypothesis['partition'], { own, others }: History): Burst[][] {
  const all = by === 'shared' ? [...own, ...others].toSorted((a, b) => a.sentAt - b.sentAt) : own;
  const partOf = partOfEach(all, by);
  return [...new Set(all.map(partOf))].map((part) => burstsOf(all.filter((one) => partOf(one) === part)));
}

function follow(
  bursts: readonly Burst[],
  spent: Explanation,
  history: History,
  { bound = Number.POSITIVE_INFINITY, sound = false }: ReplayOptions,
): Omit<Explanation, 'hypothesis'> | undefined {
  const { hypothesis } = spent;
  const model = models[hypothesis.algorithm]({
    ...hypothesis,
    past: hypothesis.deviation?.id === 'no limit' ? 0 : hypothesis.limit,
    clock: hypothesis.otherPhase ? undefined : history.clock,
  });
  let ways: readonly Way[] = [];
  for (const [index, burst] of bursts.entries()) {
    const load = loadOf(burst, hypothesis);
    if (index === 0) ways = model.initial(load.at).map(beginning);
    const moment = { model, hypothesis, history, load, first: index === 0 };
    const next = ways.flatMap((way) => waysOn(way, moment));
    ways = cheapest(sound ? next.filter(({ found }) => contradictionsIn({ findings: found }) === 0) : next);
    const [best] = ways;
    if (!best || totalOf(spent) + totalOf(best) > bound) return undefined;
  }
  const [best] = ways;
  return best && explanationOf(best, model);
}

function beginning({ state, cost }: ReturnType<AnyModel['initial']>[number]): Way {
  const nothing = { burst: undefined, earlier: undefined, knownAt: undefined, dayRoom: undefined };
  return { ...nothing, state, behaviour: cost, times: 0, found: [], othersShown: false, before: [0, 0] };
}

/** The cheapest ways to different states. */
function cheapest(ways: readonly Way[]): readonly Way[] {
  if (ways.length < 2) return ways;
  const kept = new Map<string, Way>();
  const total = ({ behaviour, times }: Way): number => behaviour + times;
  const sorted = ways.toSorted((a, b) => total(a) - total(b));
  const most = (sorted[0] ? total(sorted[0]) : 0) + tolerances.hopeless;
  for (const way of sorted) {
    if (total(way) > most) break;
    const key = JSON.stringify(way.state);
    if (!kept.has(key)) kept.set(key, way);
    if (kept.size === tolerances.states) break;
  }
  return [...kept.values()];
}

/** All that was found on a way, from its beginning. */
function explanationOf(last: Way, model: AnyModel): Omit<Explanation, 'hypothesis'> {
  const findings: Finding[] = [];
  const traced: Traced[] = [];
  for (let way: Way | undefined = last; way?.burst; way = way.earlier) {
    const { burst, before, state, found } = way;
    findings.push(...found.toReversed());
    traced.push({ burst, before, after: model.room(state, [burst.at[1], burst.at[1]]) });
  }
  const { behaviour, times } = last;
  return { findings: findings.reverse(), traced: traced.reverse(), behaviour, times };
}
