import { burstsOf, type Burst, type History } from '../history/history.js';
import { isAdmitted, isRejected, isServed, type Observation } from '../history/observation.js';
import { plus, type Interval } from '../interval.js';
import { begunBy } from '../limiter/steps.js';
import type { Hypothesis } from './hypothesis.js';

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

const partsKnown = new WeakMap<History, Partial<Record<PartitionName, Burst[][]>>>();

/** The bursts of a history, apart for what is counted apart; `shared`: not even callers are. */
export function partsOf(history: History, by: PartitionName): Burst[][] {
  const cached = partsKnown.get(history) ?? {};
  partsKnown.set(history, cached);
  return (cached[by] ??= partedBy(by, history));
}

function partedBy(by: PartitionName, { own, others }: History): Burst[][] {
  const all = by === 'shared' ? [...own, ...others].toSorted((a, b) => a.sentAt - b.sentAt) : own;
  const partOf: (one: Observation) => string = partNames[by];
  const parts = new Map<string, Observation[]>(all.map((one) => [partOf(one), []]));
  for (const one of all) parts.get(partOf(one))?.push(one);
  return [...parts.values()].map(burstsOf);
}

/** What a burst asks of a limiter, by a hypothesis. */
export interface Load {
  readonly burst: Burst;
  /** By the limiter's clock. */
  readonly at: Interval;
  /** Cost of what was admitted and could have been rejected. */
  readonly limited: number;
  /** What was admitted uses, or may have been, at the least and at the most; and what was rejected. */
  readonly admitted: Interval;
  readonly charged429: Interval;
  /** What is given back, and may still be counted in the last Remaining. */
  readonly givenBack: number;
  readonly rejected: readonly Observation[];
  /** What may be left when they are rejected: less than the dearest of them uses. */
  readonly spare: number;
  /** Admitted requests that report what remains of the minute, the highest first. */
  readonly reporting: readonly Observation[];
  /** What as many of the cheapest use; and what was left at the least, as Remaining shows, before any of them. */
  readonly reported: number;
  readonly leftBefore: number;
}

const known = new WeakMap<Burst, Map<string, Load>>();

/** What bursts ask, which is the same for all hypotheses that count alike. */
export function loadsBy(hypothesis: Hypothesis): (burst: Burst) => Load {
  const { rules, uncharged, chargesRejected, givesBackLate, overlapping, steps } = hypothesis;
  const alike = JSON.stringify([rules, uncharged.size, chargesRejected, givesBackLate, overlapping]);
  return (burst) => {
    const loads = known.get(burst) ?? new Map<string, Load>();
    known.set(burst, loads);
    const load = loads.get(alike) ?? countedLoad(burst, hypothesis);
    loads.set(alike, load);
    return steps ? { ...load, at: begunBy(burst.at, steps) } : load;
  };
}

/** How much of the limit a request uses, if it is counted. */
function costOf({ operation }: Observation, { rules }: Hypothesis): number {
  return (operation === null ? undefined : rules[operation]?.cost) ?? 1;
}

function countedLoad(burst: Burst, hypothesis: Hypothesis): Load {
  const { observations, overlapping } = burst;
  const rejected = observations.filter(isRejected);
  const reporting: Observation[] = [];
  const costs: number[] = [];
  let admitted: Interval = [0, 0];
  let givenBack = 0;
  for (const observation of observations) {
    if (isRejected(observation)) continue;
    const { operation, headers, status } = observation;
    const isFree = status !== null && hypothesis.uncharged.has(status);
    const cost = isFree ? 0 : costOf(observation, hypothesis);
    if (isFree && hypothesis.givesBackLate) givenBack += 1;
    const rule = (operation === null ? undefined : hypothesis.rules[operation]) ?? {};
    // What is never rejected may count up to the limit; who does not count an operation may count its errors.
    const isUnsure = rule.exempt === true || (rule.cost === 0 && !isServed(observation));
    // What the specification does not list may never reach the limiter.
    const isSure = isAdmitted(observation) && operation !== null && !isUnsure;
    const isTwice = overlapping && hypothesis.overlapping === 'rejected';
    admitted = plus(admitted, [isSure ? cost : 0, isTwice ? 2 * cost : Math.max(cost, isUnsure ? 1 : 0)]);
    if (!isSure) continue;
    costs.push(cost);
    if (headers.remaining !== undefined && headers.period === 'minute') reporting.push(observation);
  }
  const limited = costs.reduce((sum, cost) => sum + cost, 0);
  reporting.sort((a, b) => (b.headers.remaining ?? 0) - (a.headers.remaining ?? 0));
  costs.sort((a, b) => a - b);
  let [reported, leftBefore] = [0, 0];
  for (const [index, { headers }] of reporting.entries()) {
    reported += costs[index] ?? 1;
    const { remaining = 0 } = headers;
    if (remaining > 0) leftBefore = Math.max(leftBefore, remaining + reported);
  }
  if (overlapping && hypothesis.overlapping === 'lost') admitted = [Math.min(1, admitted[0]), admitted[1]];
  const spare = Math.max(0, ...rejected.map((one) => costOf(one, hypothesis) - 1));
  // A dear request may have used up what was left before it was rejected.
  const least = hypothesis.chargesRejected ? rejected.length : 0;
  const charged429: Interval = [least, least + spare];
  return {
    burst,
    at: burst.at,
    limited,
    admitted,
    charged429,
    givenBack,
    rejected,
    spare,
    reporting,
    reported,
    leftBefore,
  };
}
