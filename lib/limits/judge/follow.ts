import type { Burst, History } from '../history/history.js';
import type { Interval } from '../interval.js';
import { models, type AnyModel } from '../limiter/limiter.js';
import { bits, type Others } from './bits.js';
import { addOthersBits, compare } from './compare.js';
import {
  totalOf,
  type Explanation,
  type Finding,
  type Hypothesis,
  type Score,
  type Traced,
} from './hypothesis.js';
import { loadsBy, partsOf, type Load } from './load.js';

/** What a burst is compared with. */
export interface Moment {
  readonly model: AnyModel;
  readonly hypothesis: Hypothesis;
  readonly history: History;
  readonly load: Load;
}

/** One way in which the limiter may have come to where it is. Each burst copies it, and then changes the copy. */
export interface Way {
  state: unknown;
  /** Whether the key was used before the history begins. */
  readonly isPast: boolean;
  readonly score: { -readonly [Part in keyof Score]: Score[Part] };
  others: Others;
  /** The last burst, what was left before it, what was found at it, and the way up to it. */
  readonly burst?: Burst;
  readonly before: Interval;
  readonly found: Finding[];
  readonly earlier?: Way;
  /** When a Remaining last left nothing open: other clients may have sent since. */
  knownAt?: number | undefined;
}

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
  const isUnlimited = hypothesis.deviation?.id === 'no limit';
  const model = models[hypothesis.algorithm]({
    ...hypothesis,
    past: isUnlimited ? 0 : hypothesis.limit,
    clock: hypothesis.phase ?? hypothesis.clock ?? history.clock,
  });
  const loadOf = loadsBy(hypothesis);
  let score: Score = { behaviour: hypothesis.bits, others: 0, times: 0 };
  for (const bursts of partsOf(history, hypothesis.partition)) {
    let ways: readonly Way[] = [];
    for (const [index, burst] of bursts.entries()) {
      const moment = { model, hypothesis, history, load: loadOf(burst) };
      if (index === 0) ways = beginnings(score, moment);
      ways = cheapest(ways.flatMap((way) => waysOn(way, moment)));
      const [best] = ways;
      if (!best || totalOf(best.score) > bound) return undefined;
    }
    const [last] = ways;
    if (!last) continue;
    ({ score } = last);
    const before = traced.length;
    for (let way: Way | undefined = last; way?.burst; way = way.earlier) {
      const { burst, state, found } = way;
      findings.push(...found);
      const after = model.room(state, [burst.at[1], burst.at[1]]);
      traced.splice(before, 0, { burst, before: way.before, after });
    }
  }
  findings.sort((a, b) => a.burst.at[0] - b.burst.at[0]);
  return { hypothesis, findings, traced, score, total: totalOf(score) };
}

/** Before the first burst: the key was not used, or it was. */
function beginnings(score: Score, { model, load }: Moment): Way[] {
  return model.initial(load.at).map(({ state, cost }) => ({
    state,
    isPast: cost > 0,
    score: { ...score, behaviour: score.behaviour + cost },
    found: [],
    others: { seen: 0, count: 0, ms: 0 },
    before: [0, 0],
  }));
}

/** The cheapest ways to different states. */
function cheapest(ways: readonly Way[]): readonly Way[] {
  if (ways.length < 2) return ways;
  const kept = new Map<string, Way>();
  const sorted = ways
    .map((way) => ({ way, total: totalOf(way.score) }))
    .toSorted((a, b) => a.total - b.total);
  const most = (sorted[0]?.total ?? 0) + bits.hopeless;
  for (const { way, total } of sorted) {
    if (total > most || kept.size === bits.states) break;
    const key = JSON.stringify(way.state);
    if (!kept.has(key)) kept.set(key, way);
  }
  return [...kept.values()];
}

/** The ways on from a way at a burst: whatever is found costs something. */
function waysOn(earlier: Way, moment: Moment): Way[] {
  const { model, load } = moment;
  const { burst, at } = load;
  return model.possibleAt(earlier.state, at).flatMap(({ state, openedAfter }) => {
    // One request is of one window.
    if (model.isAcross?.(state) && burst.observations.length === 1) return [];
    const before = model.room(state, at);
    const way = { ...earlier, score: { ...earlier.score }, earlier, burst, state, before, found: [] };
    if (openedAfter) addOthersBits(way, 1, at[1] - openedAfter[0]);
    return compare(way, moment);
  });
}
