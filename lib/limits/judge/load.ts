import type { History } from '../history/history.js';
import { isAdmitted, isRejected, isServed, type Observation } from '../history/observation.js';
import { plus, type Interval } from '../interval.js';
import { tolerances } from '../tolerances.js';
import type { Hypothesis } from './hypothesis.js';

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
    const overlapping = group.length > 1;
    const before = overlapping ? undefined : stepBefore(bursts.at(-1), group);
    if (before) bursts.pop();
    const all = [...(before?.observations ?? []), ...group];
    const last = Math.max(...group.map(({ receivedAt }) => receivedAt));
    bursts.push({ at: [all[0]?.sentAt ?? last, last], observations: all, overlapping });
  }
  return bursts;
}

/** The step that a request belongs to, if it follows on so quickly that nothing comes back meanwhile. */
function stepBefore(burst: Burst | undefined, [next]: readonly Observation[]): Burst | undefined {
  const last = burst?.observations.at(-1);
  if (!burst || !last || !next || burst.overlapping || !followsOn(last, next)) return undefined;
  return next.receivedAt - burst.at[0] <= tolerances.quickMs ? burst : undefined;
}

/** Whether a request used one of what the one before it left, and no more can be learnt from it. */
function followsOn(before: Observation, next: Observation): boolean {
  const plain = [before, next].every((one) => isServed(one) && one.operation !== null);
  // A look ends just as a window may begin.
  if (before.phase === 'look' && next.phase !== 'look') return false;
  const [was, is] = [before.headers, next.headers];
  if (!plain || was.period !== is.period) return false;
  if (was.remaining === undefined || is.remaining === undefined) return was.remaining === is.remaining;
  return was.remaining - is.remaining <= 1 && was.remaining >= is.remaining;
}

export function vantagePointOf({ exchange }: Observation): string {
  return exchange.request.localAddress ?? '';
}

/** What is counted apart, by its name. */
const partNames = {
  none: () => '',
  shared: () => '',
  operation: ({ operation }) => String(operation),
  path: ({ exchange }) => exchange.request.url.replace(/\?.*$/, ''),
  connection: ({ exchange }) => exchange.connection ?? '',
  'source address': vantagePointOf,
} as const satisfies Record<string, (one: Observation) => string>;
export type PartitionName = keyof typeof partNames;

/** The bursts of a history, apart for what is counted apart; `shared`: not even callers are. */
function partsOf({ own, others }: History, by: PartitionName): Burst[][] {
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
  /** What is given back, and may still be counted in the last Remaining. */
  readonly givenBack: number;
  readonly rejected: readonly Observation[];
  /** What may be left when they are rejected: less than the dearest of them uses. */
  readonly spare: number;
  /** Who reports the lowest Remaining of the minute, and what as many of the cheapest use as report one. */
  readonly lowest: Observation | undefined;
  readonly reported: number;
}

const known = new WeakMap<History, Map<string, Load[][]>>();

/** What the bursts of each part of a history ask, which is the same for all hypotheses that count alike. */
export function loadsOf(history: History, hypothesis: Hypothesis): Load[][] {
  const { partition, rules, uncharged, chargesRejected, givesBackLate, overlapping } = hypothesis;
  const counting = [partition, rules, uncharged.size, chargesRejected, givesBackLate, overlapping];
  const alike = JSON.stringify(counting);
  const loads = known.get(history) ?? new Map<string, Load[][]>();
  known.set(history, loads);
  const made =
    loads.get(alike) ??
    partsOf(history, partition).map((bursts) => bursts.map((burst) => loadOf(burst, hypothesis)));
  loads.set(alike, made);
  return made;
}

function loadOf(burst: Burst, { rules, uncharged, ...hypothesis }: Hypothesis): Load {
  const { observations, overlapping } = burst;
  const ruleOf = ({ operation }: Observation) => (operation === null ? undefined : rules[operation]) ?? {};
  const rejected = observations.filter(isRejected);
  const costs: number[] = [];
  let [reporting, givenBack] = [0, 0];
  let admitted: Interval = [0, 0];
  let lowest: Observation | undefined;
  for (const one of observations.filter((each) => !isRejected(each))) {
    const { headers, status } = one;
    const { cost: usual = 1, exempt = false } = ruleOf(one);
    const isFree = status !== null && uncharged.has(status);
    const cost = isFree ? 0 : usual;
    if (isFree && hypothesis.givesBackLate) givenBack += 1;
    const isTwice = overlapping && hypothesis.overlapping === 'rejected';
    // What is never rejected may count, and what the specification does not list may never reach the limiter.
    const isSure = isAdmitted(one) && one.operation !== null && !exempt;
    admitted = plus(admitted, [isSure ? cost : 0, isTwice ? 2 * cost : cost]);
    if (!isSure) continue;
    costs.push(cost);
    if (headers.remaining === undefined || headers.period !== 'minute') continue;
    reporting += 1;
    if (headers.remaining <= (lowest?.headers.remaining ?? Infinity)) lowest = one;
  }
  const limited = sumOf(costs);
  if (overlapping && hypothesis.overlapping === 'lost') admitted = [Math.min(1, admitted[0]), admitted[1]];
  const spare = Math.max(0, ...rejected.map((one) => (ruleOf(one).cost ?? 1) - 1));
  // A dear request may have used up what was left before it was rejected.
  const charged = hypothesis.chargesRejected ? rejected.length : 0;
  const used = plus(admitted, [charged, charged + spare]);
  const reported = sumOf(costs.toSorted((a, b) => a - b).slice(0, reporting));
  return { burst, limited, admitted, used, givenBack, rejected, spare, lowest, reported };
}

/** Whether a hypothesis rejects for another reason than its limit: a lock, a limit of one operation, or a second limit. */
export function isRejectedOtherwise(
  { rejected, burst }: Load,
  { rules, second, overlapping }: Hypothesis,
  { own }: History,
): boolean {
  if (burst.overlapping && overlapping === 'rejected') return true;
  if (rejected.every(({ operation }) => operation !== null && rules[operation]?.capped)) return true;
  if (!second) return false;
  const [from, to] = [burst.at[0] - second.windowMs, burst.at[1]];
  const recent = own.filter((one) => isAdmitted(one) && one.sentAt > from && one.sentAt <= to);
  return recent.length >= second.limit;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
