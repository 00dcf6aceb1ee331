import type { PlanMeasurement } from '../../lib/record/record.js';
import { integer } from '../text/quantity.js';

/** What the limiter behaves like; undefined if the day alone was counted. */
export function behaviourOf({ explanation, algorithm }: PlanMeasurement): string | undefined {
  return explanation?.behavesLike ?? (algorithm && `${algorithm.name} (${algorithm.certainty})`);
}

/** `60 of 62 admitted, 1 failed`. */
export function phaseText(
  { sent, admitted, failed, exact, series }: PlanMeasurement['phases'][number],
  perMinute: number,
): string {
  // The first request of a window leaves one less than its limit.
  const most = Math.max(...series.map(({ remaining = -1 }) => remaining));
  const before = most < 0 ? 0 : perMinute - 1 - most;
  const isRest = before > 0 && admitted < sent && admitted + before === perMinute;
  return [
    `${integer(admitted)} of ${integer(sent)} admitted`,
    ...(failed > 0 ? [`${integer(failed)} failed`] : []),
    ...(isRest ? [`${integer(before)} of the ${integer(perMinute)} had been used before`] : []),
    ...(exact ? [] : ['not every request is accounted for']),
  ].join(', ');
}
