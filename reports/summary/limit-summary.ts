import type { PlanMeasurement } from '../../lib/record/record.js';
import { integer } from '../text/quantity.js';

/** What a limiter behaves like, as far as it is explained. */
export function behaviourText({ explanation, algorithm }: PlanMeasurement): string {
  if (explanation) return explanation.behavesLike;
  return algorithm ? `${algorithm.name} (${algorithm.certainty})` : 'no known limiter';
}

/** `60 of 62 admitted, 1 failed`. */
export function phaseText({ sent, admitted, failed, exact }: PlanMeasurement['phases'][number]): string {
  return [
    `${integer(admitted)} of ${integer(sent)} admitted`,
    ...(failed > 0 ? [`${integer(failed)} failed`] : []),
    ...(exact ? [] : ['not every request is accounted for']),
  ].join(', ');
}
