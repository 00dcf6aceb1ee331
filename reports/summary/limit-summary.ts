import type { PlanMeasurement } from '../../lib/evidence/record/measurements.js';
import { count, type Fact, integer, known } from '../text.js';

/** `Limits: free, 60 requests a minute`. */
export function limitsTitle({ plan, perMinute }: PlanMeasurement): string {
  return `Limits: ${plan}, ${count(perMinute, 'request')} a minute`;
}

/** The limiter of a plan: what it behaves like, and which limiters explain it. */
export function limitFacts({ explanation, algorithm }: PlanMeasurement): Fact[] {
  return known([
    ['Behaves like', explanation?.behavesLike ?? (algorithm && `${algorithm.name} (${algorithm.certainty})`)],
    ...(explanation?.candidates ?? []).map(({ name, conforming, unexplained }) => {
      const unlike = unexplained.join('; ');
      const how = unlike === '' ? 'explains every response' : `must assume, or cannot explain: ${unlike}`;
      return [conforming ? 'Conforming' : 'Not conforming', `${name}: ${how}`] as const;
    }),
  ]);
}

/** `60 x 200, 1 x 429`. */
export function statusesText(byStatus: Readonly<Record<string, number>>): string {
  const counted = Object.entries(byStatus).filter(([, number]) => number > 0);
  return counted.map(([status, number]) => `${integer(number)} x ${status}`).join(', ');
}
