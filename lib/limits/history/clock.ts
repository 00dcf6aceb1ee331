import type { Interval } from '../interval.js';
import type { Observation } from './observation.js';
import { tolerances } from '../tolerances.js';

/**
 * The target's clock minus ours, in milliseconds. Each `Date` of whole seconds says that the target's clock stood in
 * [Date, Date + 1 s) at some moment between sending and receiving; hundreds of responses narrow it to a few milliseconds.
 * Undefined if no `Date` tells it, or if the clock was set during the run.
 */
export function clockDifferenceOf(observations: readonly Observation[]): Interval | undefined {
  let least = Number.NEGATIVE_INFINITY;
  let most = Number.POSITIVE_INFINITY;
  for (const { headers, sentAt, receivedAt } of observations) {
    if (headers.date === undefined) continue;
    least = Math.max(least, headers.date - receivedAt);
    most = Math.min(most, headers.date + 1000 - sentAt);
  }
  if (!Number.isFinite(least) || !Number.isFinite(most)) return undefined;
  if (least <= most) return [least, most];
  return least - most <= tolerances.staleDateMs ? [most, least] : undefined;
}
