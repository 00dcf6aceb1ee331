import { burstsOf, type Burst, type History } from '../history/history.js';
import { models, type AnyModel } from '../limiter/limiter.js';
import { tolerances } from '../tolerances.js';
import type { Observation } from '../history/observation.js';
import {
  contradictionsIn,
  totalOf,
  type Explanation,
  type Finding,
  type Hypothesis,
  type Traced,
} from './hypothesis.js';
import { loadOf, waysOn, type Way } from './step.js';

export interface ReplayOptions {
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
  return {
    ...nothing,
    state,
    behaviour: cost,
    times: 0,
    found: [],
    latest: {},
    othersShown: false,
    before: [0, 0],
  };
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

type NameOf = (one: Observation) => string;

export function vantagePointOf({ exchange }: Observation): string {
  return exchange.request.localAddress ?? '';
}

/** What may tell which of several counters takes a request: its source address, its connection, or nothing. */
export const counterNames = {
  'vantage point': vantagePointOf,
  connection: ({ exchange }) => exchange.connection ?? '',
  request: ({ id }) => id,
} as const satisfies Record<string, NameOf>;

/** The part of a history that each observation belongs to, if it is counted apart in this way. */
function partOfEach(own: readonly Observation[], by: Hypothesis['partition']): NameOf {
  switch (by) {
    case 'operation':
      return ({ operation }) => String(operation);
    case 'method':
      return ({ operation }) => (operation === 'createPet' ? 'writes' : 'reads');
    case 'none':
    case 'shared':
      return () => '';
    case 'vantage point':
    case 'connection':
    case 'request': {
      const nameOf = counterNames[by];
      const counters = countersOf(own, nameOf);
      return (one) => String(counters.findIndex((names) => names.has(nameOf(one))));
    }
    default:
      return by satisfies never;
  }
}

/**
 * The counters of a window, each by the names whose requests it takes, as Remaining tells: a counter's Remaining falls with
 * each request, so that names have different counters if theirs, taken together, would not.
 */
export function countersOf(own: readonly Observation[], nameOf: NameOf): Array<ReadonlySet<string>> {
  const told = own.filter(
    ({ outcome, headers }) => outcome === 'admitted' && headers.remaining !== undefined,
  );
  const counters: Array<Set<string>> = [];
  for (const name of new Set(own.map(nameOf))) {
    const fitting = counters
      .map((names) => ({
        names,
        gaps: gapsIn(told.filter((one) => names.has(nameOf(one)) || nameOf(one) === name)),
      }))
      .filter(({ gaps }) => gaps !== undefined)
      .toSorted((a, b) => (a.gaps ?? 0) - (b.gaps ?? 0));
    if (fitting[0]) fitting[0].names.add(name);
    else counters.push(new Set([name]));
  }
  return counters;
}

/** How many numbers Remaining leaves out as it falls; undefined if it does not fall each time. */
function gapsIn(told: readonly Observation[]): number | undefined {
  const numbers = told.map(({ headers }) => headers.remaining ?? 0);
  const falls = numbers.slice(1).map((number, index) => (numbers[index] ?? 0) - number);
  return falls.every((fall) => fall > 0) ? falls.reduce((sum, fall) => sum + fall - 1, 0) : undefined;
}
