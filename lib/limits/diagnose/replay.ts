import { burstsOf, type Burst, type History } from '../history/history.js';
import { models, type AnyModel } from '../limiter/limiter.js';
import { tolerances } from '../tolerances.js';
import { isServed, type Observation } from '../history/observation.js';
import {
  totalOf,
  type Explanation,
  type Finding,
  type FindingKind,
  type Hypothesis,
  type Traced,
} from './hypothesis.js';
import { loadOf, waysOn, type Way } from './step.js';

export interface ReplayOptions {
  /** Gives up, with undefined, above this total cost. */
  readonly bound?: number;
  /** Follows only ways without such findings; undefined if there is none. */
  readonly without?: readonly FindingKind[] | undefined;
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
  const parts = new Map<string, Observation[]>(all.map((one) => [partOf(one), []]));
  for (const one of all) parts.get(partOf(one))?.push(one);
  return [...parts.values()].map(burstsOf);
}

function follow(
  bursts: readonly Burst[],
  spent: Explanation,
  history: History,
  { bound = Number.POSITIVE_INFINITY, without = [] }: ReplayOptions,
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
    const next = ways.flatMap((way) => waysOn(way, { model, hypothesis, history, load }));
    ways = cheapest(next.filter(({ found }) => !found.some(({ kind }) => without.includes(kind))));
    const [best] = ways;
    if (!best || totalOf(spent) + totalOf(best) > bound) return undefined;
  }
  const [best] = ways;
  return best && explanationOf(best, model);
}

function beginning({ state, cost }: ReturnType<AnyModel['initial']>[number]): Way {
  return {
    state,
    behaviour: cost,
    times: 0,
    found: [],
    latest: {},
    others: { seen: 0, count: 0, ms: 0 },
    punctual: 0,
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

function connectionOf({ exchange }: Observation): string {
  return exchange.connection ?? '';
}

/** What is counted apart, by its name. Of nodes it is what may tell which of them takes a request. */
const partNames = {
  none: () => '',
  shared: () => '',
  operation: ({ operation }) => String(operation),
  method: ({ operation }) => (operation === 'createPet' ? 'writes' : 'reads'),
  path: ({ exchange }) => exchange.request.url.replace(/\?.*$/, ''),
  connection: connectionOf,
  'nodes by vantage point': vantagePointOf,
  'nodes by connection': connectionOf,
  'nodes by request': ({ id }) => id,
} as const satisfies Record<string, NameOf>;
export type PartitionName = keyof typeof partNames;

/** The part of a history that each observation belongs to, if it is counted apart in this way. */
function partOfEach(own: readonly Observation[], by: PartitionName): NameOf {
  const nameOf = partNames[by];
  if (!by.startsWith('nodes')) return nameOf;
  const counters = countersOf(own, by);
  return (one) => String(counters.findIndex((names) => names.has(nameOf(one))));
}

/**
 * The counters of a history, each by the names whose requests it takes, as Remaining shows: a counter's Remaining falls with
 * each request, so that names have different counters if theirs, taken together, would not.
 */
export function countersOf(own: readonly Observation[], by: PartitionName): Array<ReadonlySet<string>> {
  const nameOf = partNames[by];
  const reporting = burstsOf(own)
    .flatMap(inOrderOfCounting)
    .filter(
      ({ outcome, headers }) =>
        outcome === 'admitted' && headers.remaining !== undefined && headers.period === 'minute',
    );
  if (reporting.length === 0) return [];
  const order = new Map(reporting.map((one, index) => [one, index]));
  const placeOf = (one: Observation): number => order.get(one) ?? 0;
  const reportingBy = new Map<string, Observation[]>(own.map((one) => [nameOf(one), []]));
  for (const one of reporting) reportingBy.get(nameOf(one))?.push(one);
  const counters: Array<{ names: Set<string>; reporting: Observation[]; falls: boolean }> = [];
  for (const [name, ofName] of reportingBy) {
    const fitting = counters.flatMap((counter) => {
      // Only beside the requests of this name Remaining falls otherwise than without them.
      const [from, to] = [ofName[0], ofName.at(-1)].map((one) =>
        one ? counter.reporting.findLastIndex((other) => placeOf(other) < placeOf(one)) : 0,
      );
      const begin = Math.max(0, from ?? 0);
      const beside = ofName.length > 0 ? counter.reporting.slice(begin, (to ?? 0) + 2) : [];
      const among = [...beside, ...ofName].toSorted((a, b) => placeOf(a) - placeOf(b));
      const gaps = counter.falls ? gapsIn(among) : undefined;
      if (gaps === undefined) return [];
      // What was rejected met a counter that had nothing left.
      const added = ofName.length > 0 ? gaps - (gapsIn(beside) ?? 0) : remainingOf(counter.reporting.at(-1));
      return [{ counter, added, begin, replaced: beside.length, among }];
    });
    // Of counters that fit alike the one that has rested longest.
    const restedSince = ({ counter }: (typeof fitting)[number]): number =>
      counter.reporting.at(-1)?.sentAt ?? 0;
    const [best] = fitting.toSorted((a, b) => a.added - b.added || restedSince(a) - restedSince(b));
    if (best) {
      best.counter.names.add(name);
      best.counter.reporting.splice(best.begin, best.replaced, ...best.among);
    } else
      counters.push({
        names: new Set([name]),
        reporting: ofName,
        falls: gapsIn(ofName) !== undefined,
      });
    // If each request has a counter of its own, Remaining does not fall at all.
    if (by === 'nodes by request' && counters.length > tolerances.mostNodes) return [];
  }
  return counters.map(({ names }) => names);
}

function remainingOf(one: Observation | undefined): number {
  return one?.headers.remaining ?? 0;
}

/** Of requests that overlap Remaining shows which was counted first. */
function inOrderOfCounting({ observations, overlapping }: Burst): readonly Observation[] {
  return overlapping ? observations.toSorted((a, b) => remainingOf(b) - remainingOf(a)) : observations;
}

/** How many numbers Remaining leaves out as it falls; undefined if it does not fall each time, though nothing can have come back. */
function gapsIn(reporting: readonly Observation[]): number | undefined {
  let gaps = 0;
  for (const [index, one] of reporting.entries()) {
    const before = reporting[index - 1];
    if (!before) continue;
    const fall = remainingOf(before) - remainingOf(one);
    if (fall >= (isServed(one) ? 1 : 0)) gaps += Math.max(0, fall - 1);
    else if (one.sentAt - before.receivedAt <= tolerances.quickMs) return undefined;
    // What has just fallen is likelier to fall on than what has come back.
    else gaps += 1;
  }
  return gaps;
}
