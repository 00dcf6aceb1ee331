import { plans } from '../../lib/specification/plan.js';
import type { PlanMeasurement } from '../../lib/evidence/record/measurements.js';
import { sampleExplanation } from './sample-explanation.js';

/** What a limit run measured on a Free key whose service admits one request too many in a burst. */
export function sampleMeasurement(): PlanMeasurement {
  const { perMinute, perDay } = plans.free;
  return {
    plan: 'free',
    perMinute,
    perDay,
    algorithm: {
      name: 'fixed window from the first request',
      certainty: 'every window fits',
    },
    explanation: sampleExplanation(),
  };
}
