import {
  isAdmitted,
  isRejected,
  isServed,
  remainingOf,
  type History,
  type Observation,
} from '../history/history.js';
import type { AnyModel } from '../limiter/algorithms.js';
import { bits, enoughMs, othersBits, plus, tolerances, type Interval, type Others } from '../tolerances.js';
import type { Finding, Hypothesis } from './hypothesis.js';

/**
 * Requests of one caller that are one step of a limiter: those that overlap in time, so that nobody knows in which order the
 * target took them, or some that followed each other quickly and were all admitted, Remaining falling by one at the most.
 */
export interface Burst {
  /** From the first sending to the last response. */
  readonly at: Interval;
  readonly observations: readonly Observation[];
  readonly overlapping: boolean;
}

/** Picks findings, or what was expected, by an observation of their burst. */
export function including(observation: Observation): (one: { readonly burst: Burst }) => boolean {
  return ({ burst }) => burst.observations.includes(observation);
}

/** Times are recorded in microseconds: milliseconds by which requests may seem to overlap. */
const rounding = 0.002;

/** Requests that are one step each, in order. */
function burstsOf(observations: readonly Observation[]): Burst[] {
  const together: Observation[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const one of observations) {
    if (one.sentAt < end - rounding) together.at(-1)?.push(one);
    else together.push([one]);
    end = Math.max(end, one.receivedAt);
  }
  const bursts: Burst[] = [];
  for (const group of together) {
    const before = bursts.at(-1);
    const all = before && followsOn(before, group) ? [...before.observations, ...group] : group;
    if (all !== group) bursts.pop();
    const last = Math.max(...group.map(({ receivedAt }) => receivedAt));
    bursts.push({ at: [all[0]?.sentAt ?? last, last], observations: all, overlapping: group.length > 1 });
  }
  return bursts;
}

/** Whether a request follows on so quickly that nothing comes back meanwhile, and used one of what was left. */
function followsOn(
  { at, observations, overlapping }: Burst,
  [next, ...others]: readonly Observation[],
): boolean {
  const last = observations.at(-1);
  if (overlapping || !last || !next || others.length > 0) return false;
  const isPlain = [last, next].every((one) => isServed(one));
  const isQuick = next.receivedAt - at[0] <= tolerances.quickMs;
  const [was, is] = [last.headers, next.headers];
  if (!isPlain || !isQuick || was.period !== is.period) return false;
  const fall = (was.remaining ?? -1) - (is.remaining ?? -1);
  return fall === 0 || (fall === 1 && is.remaining !== undefined);
}

export function vantagePointOf({ exchange }: Observation): string {
  return exchange.request.localAddress ?? '';
}

/** What is counted apart, by its name; `shared`: not even callers are. */
const partNames = {
  none: () => '',
  shared: () => '',
  operation: ({ operation }) => String(operation),
  path: ({ exchange }) => exchange.request.url.replace(/\?.*$/, ''),
  connection: ({ exchange }) => exchange.connection ?? '',
  'source address': vantagePointOf,
} as const satisfies Record<string, (one: Observation) => string>;
export type PartitionName = keyof typeof partNames;

/** What was made of a history: some hundred hypotheses follow it. */
const partsKnown = new WeakMap<History, Partial<Record<PartitionName, Burst[][]>>>();

/** The bursts of a history, apart for what is counted apart. */
export function partsOf(history: History, by: PartitionName): Burst[][] {
  const known = partsKnown.get(history) ?? {};
  partsKnown.set(history, known);
  return (known[by] ??= burstsApart(history, by));
}

function burstsApart({ own, others }: History, by: PartitionName): Burst[][] {
  const all = by === 'shared' ? [...own, ...others].toSorted((a, b) => a.sentAt - b.sentAt) : own;
  const partOf: (one: Observation) => string = partNames[by];
  const parts = new Map<string, Observation[]>(all.map((one) => [partOf(one), []]));
  for (const one of all) parts.get(partOf(one))?.push(one);
  return [...parts.values()].map(burstsOf);
}

/** What a burst asks of a limiter, by a hypothesis. */
export interface Load {
  readonly burst: Burst;
  /** Cost of what was admitted and could have been rejected. */
  readonly limited: number;
  /** What was admitted uses, or may have been, at the least and at the most; and together with what was rejected. */
  readonly admitted: Interval;
  readonly used: Interval;
  readonly rejected: readonly Observation[];
  /** What may be left when they are rejected: less than the dearest of them uses. */
  readonly spare: number;
  /** Who reports the lowest Remaining of the minute, and what as many of the cheapest use as report one. */
  readonly lowest: Observation | undefined;
  readonly reported: number;
}

export function loadOf(burst: Burst, hypothesis: Hypothesis): Load {
  const { observations, overlapping } = burst;
  const { rules, uncharged, chargesRejected, overlapping: together } = hypothesis;
  const ruleOf = ({ operation }: Observation) => (operation === null ? 1 : (rules[operation] ?? 1));
  const isFree = ({ status }: Observation): boolean => status !== null && uncharged.has(status);
  const costOf = (one: Observation): number => {
    const rule = ruleOf(one);
    return typeof rule === 'number' ? rule : 1;
  };
  const rejected = observations.filter(isRejected);
  const others = observations.filter((one) => !isRejected(one));
  // What is never rejected may count, as what is given back does for a time; and what the specification does not list may never reach the limiter.
  const isSure = (one: Observation): boolean =>
    isAdmitted(one) && one.operation !== null && ruleOf(one) !== 'exempt' && !isFree(one);
  const sure = others.filter(isSure);
  const costs = sure.map(costOf);
  const limited = sumOf(costs);
  const possible = sumOf(others.map(costOf));
  const admitted: Interval = [
    overlapping && together === 'lost' ? Math.min(1, limited) : limited,
    overlapping && together === 'rejected' ? 2 * possible : possible,
  ];
  const spare = Math.max(0, ...rejected.map((one) => costOf(one) - 1));
  // A dear request may have used up what was left before it was rejected.
  const charged = chargesRejected ? rejected.length : 0;
  const remaining = ({ headers }: Observation): number => headers.remaining ?? 0;
  const reporting = sure.filter((one) => remainingOf(one) !== undefined);
  const [lowest] = reporting.toReversed().toSorted((a, b) => remaining(a) - remaining(b));
  const reported = sumOf(costs.toSorted((a, b) => a - b).slice(0, reporting.length));
  const used = plus(admitted, [charged, charged + spare]);
  return { burst, limited, admitted, used, rejected, spare, lowest, reported };
}

/** Whether a hypothesis rejects for another reason than its limit: a lock, a limit of one operation, or a second limit. */
export function isRejectedOtherwise(
  { rejected, burst }: Load,
  { rules, second, overlapping }: Hypothesis,
  { own }: History,
): boolean {
  if (burst.overlapping && overlapping === 'rejected') return true;
  if (rejected.every(({ operation }) => operation !== null && rules[operation] === 'capped')) return true;
  if (!second) return false;
  const [from, to] = [burst.at[0] - second.windowMs, burst.at[1]];
  const recent = own.filter((one) => isAdmitted(one) && one.sentAt > from && one.sentAt <= to);
  return recent.length >= second.limit;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** One way in which the limiter may have come to where it is behind a burst: a copy of the way up to it, which is then changed. */
export interface Way {
  readonly model: AnyModel;
  readonly hypothesis: Hypothesis;
  readonly history: History;
  /** The way up to the burst; undefined at the first one. */
  readonly earlier?: Way;
  readonly load: Load;
  /** When it came, by the limiter's clock. */
  readonly at: Interval;
  /** What was left before it, and what was found at it. */
  readonly before: Interval;
  found: readonly Finding[];
  state: unknown;
  /** What the history costs so far, in bits: what contradicts, and what other clients had the time for. */
  behaviour: number;
  atLeisure: number;
  others: Others;
  /** When a Remaining last left nothing open: other clients may have sent since. */
  knownAt?: number;
  /** How often Reset has named a moment that the limiter does not know. */
  otherTimes: number;
}

/** Others who had the time cost no more than some bits in a whole history. */
export function totalOf({ behaviour, atLeisure }: Pick<Way, 'behaviour' | 'atLeisure'>): number {
  return behaviour + Math.min(atLeisure, bits.mostOthers);
}

/** What was found at a burst: what was left before it is as a rule the room. */
type Found = Omit<Finding, 'burst' | 'room' | 'bits'> & Partial<Pick<Finding, 'room'>>;

/** Notes what a way could not derive. Findings of one kind that follow each other quickly are one event. */
export function find(way: Way, found: Found, first: number, further: number = bits.further): void {
  const cost = isFurther(way, found.kind) ? further : first;
  way.behaviour += cost;
  way.found = [...way.found, { room: way.before, ...found, burst: way.load.burst, bits: cost }];
}

function isFurther(last: Way, kind: Finding['kind']): boolean {
  const [since] = last.load.burst.at;
  for (let way: Way | undefined = last; way; way = way.earlier) {
    if (since - way.load.burst.at[1] > tolerances.quickMs) return false;
    if (way.found.some((one) => one.kind === kind)) return true;
  }
  return false;
}

/** Adds what requests of other clients cost who came within some time. */
export function addOthersBits(way: Way, count: number, withinMs: number): void {
  way[withinMs < enoughMs ? 'behaviour' : 'atLeisure'] += othersBits(way.others, count, withinMs);
}

/** Adds requests of other clients, which were sent at some time since all was known. @param most so many at the most */
export function addOthers(way: Way, found: Found, most: number): void {
  const { others } = way;
  const within = timeOfOthers(way);
  addOthersBits(way, found.count, within);
  find(way, found, 0, 0);
  way.others = { count: others.count + found.count, ms: others.ms + within };
  chargeOthers(way, [found.count, Math.max(found.count, most)]);
}

/** When a Remaining has last shown all; if none has, when the step before was over. */
function knownSince({ knownAt, earlier, load }: Way): number {
  return knownAt ?? earlier?.load.burst.at[1] ?? load.burst.at[0];
}

/** Counts what others may have sent since then. */
export function chargeOthers(way: Way, count: Interval): void {
  const { model, at } = way;
  way.state = model.charge(way.state, [Math.min(knownSince(way), at[0]), at[1]], count);
}

/** Milliseconds since then, or since the window began. */
export function timeOfOthers(way: Way): number {
  const since = Math.max(knownSince(way), way.model.began(way.state, way.at));
  return Math.max(1, way.load.burst.at[1] - since);
}
