import type { Burst, History } from '../history/history.js';
import { burstsOf } from '../history/history.js';
import type { Observation } from '../history/observation.js';
import type { Interval } from '../interval.js';
import { modelOf, type AnyModel } from '../limiter/models.js';
import {
  coincidence,
  deviationPrices,
  filledByKnown,
  hypothesisPrices,
  prices,
  ranking,
  tolerances,
} from '../tolerances.js';
import type { Explanation, Finding, FindingKind, Hypothesis, Traced } from './hypothesis.js';

interface Chain<Item> {
  readonly item: Item;
  readonly before: Chain<Item> | undefined;
}

/** One way in which the limiter may have come to where it is. */
interface Path {
  readonly state: unknown;
  readonly behaviour: number;
  readonly times: number;
  readonly findings: Chain<Finding> | undefined;
  /** When a finding of each kind was last made: what follows within a stretch is the same event. */
  readonly foundAt: Partial<Record<FindingKind, number>>;
  /** What remained of the day, if the headers describe it. */
  readonly dayRoom: number | undefined;
  /** When a Remaining last left nothing open: other clients may have sent since. */
  readonly knownAt: number | undefined;
  readonly trace: Chain<Traced> | undefined;
}

/** What a burst asks of a limiter, by a hypothesis. */
interface Load {
  readonly burst: Burst;
  readonly at: Interval;
  /** Nothing is known of what was sent before. */
  readonly first: boolean;
  /** Cost of what was admitted and could have been rejected. */
  readonly limited: number;
  /** The dearest of them: it may have been admitted with less room than it costs. */
  readonly dearest: number;
  readonly admitted: Interval;
  /** Whether requests overlap, so that nobody knows their order. */
  readonly overlapping: boolean;
  readonly rejected: readonly Observation[];
  /** Admitted requests that report what remains of the minute, the highest first; and their costs, the cheapest first. */
  readonly reporting: readonly Observation[];
  readonly costs: readonly number[];
  /** Cost of what was admitted and reports nothing. */
  readonly silent: number;
  readonly uncertain: number;
  /** What dear requests may have used up before they were rejected. */
  readonly partly: number;
}

/** What no limiter of a hypothesis does, whatever other clients do. */
export const contradictions: readonly FindingKind[] = ['excess', 'spurious rejection', 'remaining too high'];

const epsilon = 1e-6;
const dayMs = 86_400_000;

/**
 * Lets a hypothesis follow a history: its explanation is the cheapest way through. Overlapping requests are one step, as
 * their order is unknown.
 * @param bound gives up, with undefined, above this total cost
 * @param onTrace receives what remained after each burst, by the cheapest way
 * @param sound follows only ways without a contradiction; undefined if there is none
 */
export function replay(
  hypothesis: Hypothesis,
  history: History,
  bound = Number.POSITIVE_INFINITY,
  onTrace?: (traced: Traced) => void,
  sound = false,
): Explanation | undefined {
  const findings: Finding[] = [];
  let behaviour = 0;
  let times = 0;
  for (const bursts of partitions(history, hypothesis.partition)) {
    const path = follow(bursts, hypothesis, history, bound - behaviour - times, {
      traced: onTrace !== undefined,
      sound,
    });
    if (!path) return undefined;
    behaviour += path.behaviour;
    times += path.times;
    findings.push(...inOrder(path.findings));
    if (onTrace) inOrder(path.trace).forEach(onTrace);
  }
  return { hypothesis, findings, behaviour, times };
}

function inOrder<Item>(last: Chain<Item> | undefined): Item[] {
  const items: Item[] = [];
  for (let link = last; link; link = link.before) items.push(link.item);
  return items.reverse();
}

const known = new WeakMap<History, Map<Hypothesis['partition'], Burst[][]>>();

/** The bursts of a history, apart for what is counted apart. */
function partitions(history: History, by: Hypothesis['partition']): Burst[][] {
  const cached = known.get(history) ?? new Map<Hypothesis['partition'], Burst[][]>();
  known.set(history, cached);
  const made = cached.get(by) ?? partitioned(history, by);
  cached.set(by, made);
  return made;
}

function partitioned({ own, others }: History, by: Hypothesis['partition']): Burst[][] {
  if (by === 'none') return [burstsOf(own)];
  if (by === 'shared') return [burstsOf([...own, ...others].toSorted((a, b) => a.sentAt - b.sentAt))];
  const groups = new Map<string, Observation[]>();
  for (const observation of own) {
    const { operation } = observation;
    const name = by === 'operation' ? (operation ?? 'other') : operation === 'createPet' ? 'writes' : 'reads';
    groups.set(name, [...(groups.get(name) ?? []), observation]);
  }
  return [...groups.values()].map(burstsOf);
}

function follow(
  bursts: readonly Burst[],
  hypothesis: Hypothesis,
  history: History,
  bound: number,
  { traced, sound }: { readonly traced: boolean; readonly sound: boolean },
): Path | undefined {
  const { clock } = history;
  const quota = {
    limit: hypothesis.limit,
    capacity: hypothesis.capacity,
    past: hypothesis.deviation?.id === 'no limit' ? 0 : hypothesis.limit,
    windowMs: hypothesis.windowMs,
    clock: hypothesis.otherPhase ? undefined : clock,
    renewed: hypothesis.renewedBy === 'requests',
    carried: hypothesis.carried,
    carriesMore: hypothesis.carriesMore,
  };
  const model = modelOf(hypothesis.algorithm, quota, hypothesis.second);
  const step = stepOf(model, hypothesis, history);
  let paths: readonly Path[] = [];
  let since = Number.NEGATIVE_INFINITY;
  for (const burst of bursts) {
    const load = loadOf(burst, hypothesis, clock, burst === bursts[0]);
    if (since === Number.NEGATIVE_INFINITY) {
      since = load.at[0];
      paths = model.initial(load.at).map(({ state, cost }) => ({
        state,
        behaviour: cost,
        times: 0,
        findings: undefined,
        foundAt: {},
        dayRoom: undefined,
        knownAt: undefined,
        trace: undefined,
      }));
    }
    let next: Path[] = [];
    for (const path of paths) step(path, load, since, next);
    if (sound) next = next.filter(({ foundAt }) => !isContradicted(foundAt));
    since = load.at[1];
    paths = next.length === 1 ? next : cheapest(next, model);
    const [best] = paths;
    if (!best || best.behaviour + Math.min(best.times, ranking.mostTimes) > bound) return undefined;
    if (traced)
      paths = paths.map((path) => ({
        ...path,
        trace: {
          item: { burst, room: model.room(path.state, [load.at[1], load.at[1]]) },
          before: path.trace,
        },
      }));
  }
  return paths[0] ?? nothing;
}

function isContradicted(foundAt: Path['foundAt']): boolean {
  return contradictions.some((kind) => foundAt[kind] !== undefined);
}

const nothing: Path = {
  state: undefined,
  behaviour: 0,
  times: 0,
  findings: undefined,
  foundAt: {},
  dayRoom: undefined,
  knownAt: undefined,
  trace: undefined,
};

/** The cheapest ways to different states. */
function cheapest(paths: readonly Path[], model: AnyModel): readonly Path[] {
  const total = (path: Path): number => path.behaviour + path.times;
  const states = new Set<string>();
  const kept: Path[] = [];
  for (const path of paths.toSorted((a, b) => total(a) - total(b))) {
    const key = model.key(path.state);
    if (states.has(key)) continue;
    states.add(key);
    kept.push(path);
    if (kept.length === tolerances.states) break;
  }
  return kept;
}

function costOf(observation: Observation, hypothesis: Hypothesis): number {
  const { operation, status, count } = observation;
  if (status !== null && hypothesis.uncharged.has(status)) return 0;
  return count * (operation === null ? 1 : (hypothesis.rules[operation]?.cost ?? 1));
}

function loadOf(burst: Burst, hypothesis: Hypothesis, clock: Interval | undefined, first: boolean): Load {
  const { observations } = burst;
  const at = hypothesis.tickMs === 0 ? burst.at : ticked(burst.at, hypothesis.tickMs, clock);
  const rejected: Observation[] = [];
  const reporting: Observation[] = [];
  const costs: number[] = [];
  let [limited, dearest, least, most, silent, uncertain, partly] = [0, 0, 0, 0, 0, 0, 0];
  for (const observation of observations) {
    const { outcome, operation, headers } = observation;
    if (outcome === 'rejected') {
      rejected.push(observation);
      partly += Math.max(0, costOf({ ...observation, status: 200 }, hypothesis) - observation.count);
      continue;
    }
    const cost = costOf(observation, hypothesis);
    if (outcome !== 'admitted') {
      uncertain += cost;
      continue;
    }
    const exempt = operation === null || hypothesis.rules[operation]?.exempt === true;
    most += cost;
    // What the specification does not list may never reach the limiter; what is never rejected may count up to the limit.
    if (exempt) continue;
    least += cost;
    limited += cost;
    costs.push(cost);
    dearest = Math.max(dearest, cost / observation.count);
    if (headers.remaining !== undefined && headers.period === 'minute') reporting.push(observation);
    else silent += cost;
  }
  if (reporting.length > 1) reporting.sort((a, b) => (b.headers.remaining ?? 0) - (a.headers.remaining ?? 0));
  if (costs.length > 1) costs.sort((a, b) => a - b);
  const overlapping = observations.length > 1;
  return {
    burst,
    at,
    first,
    limited,
    dearest,
    admitted: overlapping && hypothesis.overlapping === 'lost' ? [Math.min(1, least), most] : [least, most],
    overlapping,
    rejected,
    reporting,
    costs,
    silent,
    uncertain,
    partly,
  };
}

/** A limiter whose clock has whole seconds takes a request at the second that had begun. */
function ticked([from, to]: Interval, tickMs: number, clock: Interval | undefined): Interval {
  if (!clock) return [from - tickMs, to];
  const floor = (time: number): number => Math.floor(time / tickMs) * tickMs;
  return [floor(from + clock[0]) - clock[0], floor(to + clock[1]) - clock[1]];
}

type Step = (path: Path, load: Load, since: number, next: Path[]) => void;

function stepOf(model: AnyModel, hypothesis: Hypothesis, history: History): Step {
  const { overlapping: overlap, shownLess, chargesRejected } = hypothesis;
  const mostWhole = (room: number): number =>
    Math.max(0, model.admissionSlack > 0 ? Math.ceil(room - epsilon) : Math.floor(room + epsilon));
  const leastWhole = (room: number): number => {
    const whole = Math.floor(room + epsilon);
    return model.admissionSlack > 0 && room - whole > 0.01 ? whole - model.admissionSlack : whole;
  };

  /** A rejection although requests are left: others took them, or there is no reason. */
  const rejections = (
    path: Path,
    load: Load,
    state: unknown,
    since: number,
    go: (path: Path, full: boolean) => void,
  ): void => {
    const { rejected, admitted, uncertain, at } = load;
    if (rejected.length === 0) return go({ ...path, state }, false);
    const room = model.room(state, at);
    const unlimited = rejected.filter(
      (one) => one.operation !== null && hypothesis.rules[one.operation]?.exempt,
    );
    if (unlimited.length > 0)
      return go(
        { ...finding(path, 'spurious rejection', load, unlimited, unlimited.length, room), state },
        false,
      );
    const [first] = rejected;
    const wanted = Math.max(1, first ? costOf({ ...first, status: 200 }, hypothesis) : 1);
    const left = leastWhole(room[0]) - admitted[1] - uncertain - (wanted - 1);
    if (left <= 0) return go({ ...path, state }, true);
    if (overlap === 'rejected' && load.overlapping) return go({ ...path, state }, false);
    const capped = rejected.every((one) => one.operation !== null && hypothesis.rules[one.operation]?.capped);
    if (capped) return go({ ...path, state }, false);
    // Remaining may show them; in a burst it shows no more than the rejections do.
    const lowest = load.reporting.at(-1)?.headers.remaining;
    const isShown = lowest === 0 && hypothesis.believesRemaining && !load.overlapping;
    const kind = isShown ? 'hidden requests' : 'filled by others';
    const filled = finding(path, kind, load, rejected, left, room);
    go({ ...filled, state: model.chargeHidden(state, since, at, left) }, true);
    go({ ...finding(path, 'spurious rejection', load, rejected, rejected.length, room), state }, false);
  };

  /**
   * Compares Remaining with what is left; returns what it shows of the room after the burst.
   * @param highest what Remaining may have begun with: requests of others lower it at any time of the burst
   */
  const remaining = (
    path: Path,
    load: Load,
    since: number,
    highest: number,
  ): { path: Path; shown: Interval | undefined } => {
    const { reporting, costs, at, admitted, uncertain, silent, rejected } = load;
    const lowest = reporting.at(-1)?.headers.remaining;
    if (lowest === undefined || !hypothesis.believesRemaining) return { path, shown: undefined };
    const room = model.reported?.(path.state, at) ?? model.room(path.state, at);
    // Two whole counts have no fraction to round; a bucket always has one, be it only in its arithmetic.
    const isWhole =
      model.admissionSlack > 0 && room.every((one) => Math.abs(one - Math.round(one)) < epsilon);
    const rounding = isWhole ? 0 : model.rounding;
    if (!load.overlapping || overlap !== 'lost') {
      let used = 0;
      let tooHigh = 0;
      for (const [index, observation] of reporting.entries()) {
        used += costs[index] ?? 1;
        const { remaining: reported = 0 } = observation.headers;
        const left = Math.floor(highest + epsilon) - used + rounding;
        if (reported > 0) tooHigh = Math.max(tooHigh, reported + shownLess - left);
      }
      if (tooHigh > 0) {
        const found = finding(path, 'remaining too high', load, reporting, tooHigh, room);
        return { path: found, shown: undefined };
      }
    }
    // The lowest may be of the window before, and says nothing of what is left of this one.
    if (model.isAcross?.(path.state)) return { path, shown: undefined };
    const shown = lowest + shownLess;
    const hidden = Math.floor(room[0] - admitted[1] - uncertain + epsilon) - shown - rounding;
    const growth = load.overlapping
      ? Math.max(0, model.room(path.state, [at[1], at[1]])[1] - model.room(path.state, [at[0], at[0]])[1])
      : 0;
    const behind = uncertain + silent + load.partly + (chargesRejected ? rejected.length : 0);
    const after: Interval = [
      lowest === 0 ? Number.NEGATIVE_INFINITY : shown - behind - rounding,
      shown + growth + (rounding > 0 ? 1 : 0),
    ];
    if (load.first) {
      const past = Math.max(0, hypothesis.limit - shown - admitted[0]);
      return {
        path: { ...path, behaviour: path.behaviour + hypothesisPrices.past * Math.log2(1 + past) },
        shown: after,
      };
    }
    if (hidden <= 0) return { path, shown: after };
    const began = model.began(path.state, at);
    const rare = began > since ? coincidence(at[1] - began) : 0;
    const found = finding(path, 'hidden requests', load, reporting.slice(-1), hidden, room, rare);
    return {
      path: { ...found, state: model.chargeHidden(path.state, path.knownAt ?? since, at, hidden) },
      shown: after,
    };
  };

  const day = (path: Path, load: Load, since: number): Path => {
    const shown = load.burst.observations.flatMap(({ headers, outcome }) =>
      headers.period === 'day' && outcome === 'admitted' && headers.remaining !== undefined
        ? [headers.remaining]
        : [],
    );
    if (shown.length === 0 || !hypothesis.believesRemaining) {
      const spent = path.dayRoom === undefined ? undefined : path.dayRoom - load.admitted[0];
      return spent === path.dayRoom ? path : { ...path, dayRoom: spent };
    }
    const lowest = Math.min(...shown);
    if (path.dayRoom === undefined) return { ...path, dayRoom: lowest };
    const expected = path.dayRoom - load.admitted[1] - load.uncertain;
    const next = { ...path, dayRoom: lowest };
    const refilled = Math.ceil((history.plan.perDay * (load.at[1] - since)) / dayMs);
    const most = path.dayRoom - load.admitted[0] + refilled + tolerances.remainingRounding;
    if (lowest > most && lowest < history.plan.perDay - 2 * load.admitted[1])
      return finding(next, 'remaining too high', load, load.burst.observations, lowest - most, [
        expected,
        most,
      ]);
    if (lowest >= expected) return next;
    const found = finding(next, 'hidden requests', load, load.burst.observations, expected - lowest, [
      expected,
      expected,
    ]);
    return { ...found, state: model.chargeHidden(path.state, since, load.at, expected - lowest) };
  };

  const reset = (path: Path, load: Load): Path => {
    const [only] = load.burst.observations;
    const { clock } = history;
    if (!clock || load.overlapping || only?.headers.reset === undefined || only.headers.period !== 'minute')
      return path;
    const slack = tolerances.resetRoundingMs;
    const named: Interval = [only.headers.reset - clock[1] - slack, only.headers.reset - clock[0] + slack];
    const fits = model.resets(path.state, load.at).some(([from, to]) => from <= named[1] && to >= named[0]);
    if (!fits) return finding(path, 'other time', load, [only], 1, [0, 0]);
    const state = hypothesis.otherPhase ? model.narrowByReset?.(path.state, named) : undefined;
    return state === undefined ? path : { ...path, state };
  };

  /** A rejection that reports requests left, though none are. */
  const leftOn429 = (path: Path, load: Load): Path => {
    const most = (model.reported?.(path.state, load.at) ?? [0, 0])[1];
    const wrong = load.rejected.filter(
      ({ headers }) => headers.period === 'minute' && (headers.remaining ?? 0) > model.rounding + most,
    );
    if (wrong.length === 0 || !hypothesis.believesRemaining) return path;
    return finding(path, 'remaining too high', load, wrong, wrong[0]?.headers.remaining ?? 1, [0, 1]);
  };

  const settle = (path: Path, load: Load, full: boolean, since: number, highest: number): Path => {
    const { at, admitted, uncertain, rejected, overlapping } = load;
    const after429 = full ? leftOn429(path, load) : path;
    const { path: seen, shown } = remaining(day(after429, load, since), load, since, highest);
    const more = chargesRejected ? rejected.length : 0;
    const most = admitted[1] + uncertain + more + load.partly;
    let state = model.charge(seen.state, at, [admitted[0] + more, most]);
    if (rejected.length > 0 && hypothesis.renewedBy === 'rejections')
      state = model.renew?.(state, at) ?? state;
    if (rejected.length > 0 && hypothesis.emptied) state = model.initial(at)[0]?.state;
    else if (shown) state = model.narrow(state, at, shown);
    else if (full && !overlapping)
      state = model.narrow(state, at, [
        Number.NEGATIVE_INFINITY,
        model.rounding > 0 ? 1 + model.admissionSlack : 0,
      ]);
    else if (load.limited > 0 && !overlapping && load.limited === admitted[1])
      state = model.narrow(state, at, [-model.admissionSlack, Number.POSITIVE_INFINITY]);
    const knownAt = shown && uncertain + load.partly === 0 ? at[1] : seen.knownAt;
    return reset({ ...seen, state, knownAt }, load);
  };

  /** What Remaining shows as used, and requests explain that may not have been counted: it may be other clients all the same. */
  const coveredGap = ({ state }: Path, { at, admitted, reporting, uncertain, first }: Load): number => {
    const lowest = reporting.at(-1)?.headers.remaining;
    if (lowest === undefined || first || model.admissionSlack > 0 || !hypothesis.believesRemaining) return 0;
    const room = model.room(state, at);
    if (model.rounding === 0 && uncertain === 0 && room[1] - room[0] < 1) return 0;
    return Math.floor(room[1] - admitted[0] + epsilon) - lowest - shownLess;
  };

  return (path, load, since, next) => {
    for (const { state, cost } of model.possibleAt(path.state, load.at)) {
      const room = model.room(state, load.at);
      const [, highest] = model.reported?.(state, load.at) ?? room;
      const over = load.limited - mostWhole(room[1]) - Math.max(0, load.dearest - 1);
      // A race loses what is counted at the same time; what was exhausted before stays exhausted.
      const races = load.overlapping && overlap === 'lost' && mostWhole(room[1]) > 0;
      const excused = hypothesis.leaks || races;
      const extra = cost + (hypothesis.leaks && over > 0 ? over * deviationPrices.leaked : 0);
      const begun: Path = extra === 0 ? path : { ...path, behaviour: path.behaviour + extra };
      const checked =
        over > 0 && !excused ? finding(begun, 'excess', load, load.burst.observations, over, room) : begun;
      rejections(checked, load, state, since, (one, full) => {
        next.push(settle(one, load, full, since, highest));
        const gap = coveredGap(one, load);
        if (gap <= 0) return;
        const hidden = finding(one, 'hidden requests', load, load.reporting.slice(-1), gap, room);
        const charged = model.chargeHidden(one.state, one.knownAt ?? since, load.at, gap);
        next.push(settle({ ...hidden, state: charged }, load, full, since, highest));
      });
    }
  };
}

/** A path with one more finding, priced as part of the stretch that it belongs to. */
function finding(
  path: Path,
  kind: FindingKind,
  { burst }: Load,
  observations: readonly Observation[],
  count: number,
  room: Interval,
  extra = 0,
): Path {
  const [from, to] = burst.at;
  const last = path.foundAt[kind];
  const isFurther = last !== undefined && from - last <= tolerances.stretchMs;
  // Other clients that Remaining shows elsewhere may well have been there unseen, too.
  const known = kind === 'filled by others' && path.foundAt['hidden requests'] !== undefined;
  const { first, further } = known ? filledByKnown : prices[kind];
  const counted = kind === 'hidden requests' || kind === 'filled by others';
  const price = (isFurther ? further : first) + (counted ? Math.log2(Math.max(1, count)) / 2 : 0) + extra;
  const isTime = kind === 'other time';
  return {
    ...path,
    behaviour: path.behaviour + (isTime ? 0 : price),
    times: path.times + (isTime ? price : 0),
    findings: { item: { kind, burst, observations, count, room, price }, before: path.findings },
    foundAt: { ...path.foundAt, [kind]: to },
  };
}
