import type { History } from '../history/history.js';
import { begunBy, type Interval } from '../interval.js';
import { models } from '../limiter/limiter.js';
import { bits } from './bits.js';
import {
  totalOf,
  type Explanation,
  type Finding,
  type Hypothesis,
  type Score,
  type Traced,
} from './hypothesis.js';
import { loadsOf } from './load.js';
import { addOthersBits, compare, type Way } from './step.js';

/**
 * Lets a hypothesis follow a history: its explanation is the cheapest way through. What the limiter counts apart is followed
 * apart. @param bound gives up, with undefined, above so many bits
 */
export function follow(
  hypothesis: Hypothesis,
  history: History,
  bound = Number.POSITIVE_INFINITY,
): Explanation | undefined {
  const findings: Finding[] = [];
  const traced: Traced[] = [];
  const { steps } = hypothesis;
  const model = models[hypothesis.algorithm]({
    ...hypothesis,
    clock: hypothesis.phase ?? hypothesis.clock ?? history.clock,
  });
  const mayBePast = hypothesis.deviation?.id !== 'no limit';
  const initial = (at: Interval) => model.initial(at).filter(({ cost }) => mayBePast || cost === 0);
  let score: Score = { behaviour: hypothesis.bits, others: 0, times: 0 };
  for (const loads of loadsOf(history, hypothesis)) {
    let ways: Way[] = [];
    for (const [index, load] of loads.entries()) {
      const at = steps ? begunBy(load.burst.at, steps) : load.burst.at;
      const here = { model, hypothesis, history, load, at, before: none, found: [], isFull: false };
      const arriving =
        index > 0
          ? ways.map((earlier) => ({ ...earlier, ...here, earlier }))
          : // Before the first burst the key was not used, or it was, if there is a limit at all.
            initial(at).map(({ state, cost }) => ({
              ...here,
              state,
              score: { ...score, behaviour: score.behaviour + cost },
              others: { count: 0, ms: 0 },
            }));
      ways = cheapest(arriving.flatMap(waysOn));
      const [best] = ways;
      if (!best || totalOf(best.score) > bound) return undefined;
    }
    const [last] = ways;
    if (!last) continue;
    ({ score } = last);
    const before = traced.length;
    for (let way: Way | undefined = last; way; way = way.earlier) {
      const { burst } = way.load;
      findings.push(...way.found);
      const after = model.room(way.state, [burst.at[1], burst.at[1]]);
      traced.splice(before, 0, { burst, before: way.before, after });
    }
  }
  findings.sort((a, b) => a.burst.at[0] - b.burst.at[0]);
  return { hypothesis, findings, traced, score, total: totalOf(score) };
}

const none = [0, 0] as const;

/** The cheapest ways to different states. */
function cheapest(ways: Way[]): Way[] {
  if (ways.length < 2) return ways;
  const kept = new Map<string, Way>();
  const most = Math.min(...ways.map(({ score }) => totalOf(score))) + bits.hopeless;
  for (const way of ways.toSorted((a, b) => totalOf(a.score) - totalOf(b.score))) {
    if (totalOf(way.score) > most || kept.size === bits.states) break;
    const key = JSON.stringify(way.state);
    if (!kept.has(key)) kept.set(key, way);
  }
  return [...kept.values()];
}

/** The ways on from a way at a burst: whatever is found costs something. */
function waysOn(arriving: Way): Way[] {
  const { model, load, at } = arriving;
  return model.possibleAt(arriving.state, at).flatMap(({ state, openedAfter }) => {
    // One request is of one window.
    if (model.isAcross?.(state) && load.burst.observations.length === 1) return [];
    const before = model.room(state, at);
    const way: Way = { ...arriving, score: { ...arriving.score }, state, before, found: [] };
    if (openedAfter) addOthersBits(way, 1, at[1] - openedAfter[0]);
    return compare(way);
  });
}
