import type { Burst } from '../history/history.js';
import { isAdmitted, isRejected, isServed, type Observation } from '../history/observation.js';
import { plus, type Interval } from '../interval.js';
import type { Hypothesis } from './hypothesis.js';

/** What a burst asks of a limiter, by a hypothesis. */
export interface Load {
  readonly burst: Burst;
  /** By the limiter's clock. */
  readonly at: Interval;
  /** Cost of what was admitted and could have been rejected; and of the dearest, which a little less room may admit. */
  readonly limited: number;
  readonly dearest: number;
  /** What was admitted uses, or may have been, at the least and at the most; and what was rejected. */
  readonly admitted: Interval;
  readonly charged429: Interval;
  /** What is given back, and may still be counted in the last Remaining. */
  readonly givenBack: Interval;
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

/** What a burst asks is the same for all hypotheses that count alike. */
export function loadOf(burst: Burst, hypothesis: Hypothesis): Load {
  const { rules, uncharged, chargesRejected, givesBackLate, overlapping, steps } = hypothesis;
  const alike = JSON.stringify([rules, uncharged.size, chargesRejected, givesBackLate, overlapping]);
  const loads = known.get(burst) ?? new Map<string, Load>();
  known.set(burst, loads);
  const load = loads.get(alike) ?? countedLoad(burst, hypothesis);
  loads.set(alike, load);
  return steps ? { ...load, at: begunBy(burst.at, steps) } : load;
}

function countedLoad(burst: Burst, { rules, uncharged, ...hypothesis }: Hypothesis): Load {
  const { observations, overlapping } = burst;
  const rejected = observations.filter(isRejected);
  const reporting: Observation[] = [];
  const costs: number[] = [];
  let [dearest, free, spare] = [0, 0, 0];
  let admitted: Interval = [0, 0];
  let charged429: Interval = [0, 0];
  for (const observation of observations) {
    const { operation, headers, status, count } = observation;
    const rule = operation === null ? {} : (rules[operation] ?? {});
    const cost = count * (rule.cost ?? 1);
    const isFree = status !== null && uncharged.has(status);
    const full = isFree ? 0 : cost;
    if (isFree) free += cost;
    if (isRejected(observation)) {
      // A dear request may have used up what was left before it was rejected.
      const part = Math.max(0, full - count);
      spare = Math.max(spare, part);
      charged429 = plus(charged429, hypothesis.chargesRejected ? [count, count + part] : [0, part]);
      continue;
    }
    // What the specification does not list, or has no valid key, may never reach the limiter; what is never rejected may
    // count up to the limit.
    const isKnown = operation !== null && status !== 401;
    // Who does not count an operation may count its errors.
    const isUnsure = rule.exempt === true || (rule.cost === 0 && !isServed(observation));
    const isSure = isAdmitted(observation) && isKnown && !isUnsure;
    const isTwice = overlapping && hypothesis.overlapping === 'rejected';
    admitted = plus(admitted, [isSure ? full : 0, isTwice ? 2 * full : Math.max(full, isUnsure ? count : 0)]);
    if (!isSure) continue;
    dearest = Math.max(dearest, full / count);
    costs.push(full);
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
  const givenBack: Interval = [
    hypothesis.givesBackLate && !overlapping ? free : 0,
    hypothesis.givesBackLate || overlapping ? free : 0,
  ];
  return {
    burst,
    at: burst.at,
    limited,
    dearest,
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

/** A limiter whose clock goes by steps takes a request at the step that had begun. */
function begunBy([first, last]: Interval, { ms, from }: NonNullable<Hypothesis['steps']>): Interval {
  if (!from) return [first - ms, last];
  // Before the first request, which may begin the steps, there is none.
  const begun = (time: number, since: number): number =>
    from[0] + Math.max(0, Math.floor((time - since) / ms)) * ms;
  return [begun(first, from[1]), begun(last, from[0])];
}
