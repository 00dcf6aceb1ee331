import type { Burst } from '../history/history.js';
import type { Observation } from '../history/observation.js';
import type { Interval } from '../interval.js';
import type { Hypothesis } from './hypothesis.js';

/** What a burst asks of a limiter, by a hypothesis. */
export interface Load {
  readonly burst: Burst;
  readonly at: Interval;
  /** Nothing is known of what was sent before. */
  readonly first: boolean;
  /** Whether requests overlap, so that nobody knows their order. */
  readonly overlapping: boolean;
  /** Cost of what was admitted and could have been rejected. */
  readonly limited: number;
  /** The dearest of them: it may have been admitted with less room than it costs. */
  readonly dearest: number;
  /** What was admitted costs at the least, and at the most. */
  readonly admitted: Interval;
  readonly rejected: readonly Observation[];
  /** Admitted requests that report what remains of the minute, the highest first; and their costs, the cheapest first. */
  readonly reporting: readonly Observation[];
  readonly costs: readonly number[];
  /** Cost of what was admitted and reports nothing. */
  readonly silent: number;
  /** Cost of what may have been admitted. */
  readonly uncertain: number;
  /** What dear requests may have used up before they were rejected. */
  readonly partly: number;
}

/** What a request uses up if it is admitted. */
export function costOf({ operation, count }: Observation, { rules }: Hypothesis): number {
  return count * (operation === null ? 1 : (rules[operation]?.cost ?? 1));
}

export function isExempt({ operation }: Observation, { rules }: Hypothesis): boolean {
  return operation !== null && rules[operation]?.exempt === true;
}

/** @param first whether it is the first burst that is known */
export function loadOf(
  burst: Burst,
  hypothesis: Hypothesis,
  clock: Interval | undefined,
  first: boolean,
): Load {
  const { observations } = burst;
  const overlapping = observations.length > 1;
  const rejected: Observation[] = [];
  const reporting: Observation[] = [];
  const costs: number[] = [];
  let [limited, dearest, least, most, silent, uncertain, partly] = [0, 0, 0, 0, 0, 0, 0];
  for (const observation of observations) {
    const { outcome, operation, headers, status, count } = observation;
    const full = costOf(observation, hypothesis);
    if (outcome === 'rejected') {
      rejected.push(observation);
      partly += Math.max(0, full - count);
      continue;
    }
    const cost = status !== null && hypothesis.uncharged.has(status) ? 0 : full;
    if (outcome !== 'admitted') {
      uncertain += cost;
      continue;
    }
    most += cost;
    // What the specification does not list may never reach the limiter; what is never rejected may count up to the limit.
    if (operation === null || isExempt(observation, hypothesis)) continue;
    least += cost;
    limited += cost;
    costs.push(cost);
    dearest = Math.max(dearest, cost / count);
    if (headers.remaining !== undefined && headers.period === 'minute') reporting.push(observation);
    else silent += cost;
  }
  if (overlapping) {
    reporting.sort((a, b) => (b.headers.remaining ?? 0) - (a.headers.remaining ?? 0));
    costs.sort((a, b) => a - b);
    if (hypothesis.overlapping === 'lost') least = Math.min(1, least);
  }
  return {
    burst,
    at: hypothesis.tickMs === 0 ? burst.at : ticked(burst.at, hypothesis.tickMs, clock),
    first,
    overlapping,
    limited,
    dearest,
    admitted: [least, most],
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
