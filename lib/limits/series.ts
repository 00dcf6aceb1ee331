import { admitted, refused, type Seen } from './seen.js';

/** Points that a phase's series holds. */
export const mostPoints = 600;

/**
 * The requests that a series shows: all where they are few, else evenly chosen ones and each where admission turns to
 * refusal or failure, or back. Where those are too many, evenly chosen of them: a series never ends before its phase.
 */
export function inSeries(requests: readonly Seen[]): readonly Seen[] {
  if (requests.length <= mostPoints) return requests;
  const outcome = (one: Seen | undefined): string | undefined =>
    one && (admitted(one) ? 'admitted' : refused(one) ? 'refused' : 'failed');
  const chosen = evenly(requests.length, mostPoints / 2);
  const kept = requests.filter(
    (one, index) =>
      chosen(index) ||
      outcome(one) !== outcome(requests[index - 1]) ||
      outcome(one) !== outcome(requests[index + 1]),
  );
  const still = evenly(kept.length, mostPoints - 1);
  return kept.length <= mostPoints ? kept : kept.filter((_, index) => still(index));
}

/** Of so many, whether one is among the about `most` evenly chosen; the first and the last always are. */
function evenly(length: number, most: number): (index: number) => boolean {
  const every = length / most;
  return (index) =>
    index === 0 || index === length - 1 || Math.floor(index / every) !== Math.floor((index - 1) / every);
}
