import { plans } from '../../lib/specification/plan.js';
import type { PlanMeasurement } from '../../lib/evidence/record/plan-measurement.js';
import { sampleExplanation } from './sample-explanation.js';
import { sampleStart } from './sample-exchanges.js';

type Phase = PlanMeasurement['phases'][number];

/** A phase of `sent` requests spread over `durationMs`, of which the first `admitted` get 200 and the rest 429. */
function phase(name: string, durationMs: number, sent: number, admitted: number): Phase {
  return {
    name,
    startedAt: new Date(sampleStart).toISOString(),
    durationMs,
    sent,
    admitted,
    refused: sent - admitted,
    failed: 0,
    sentAfterFirst429: Math.min(3, sent - admitted),
    exact: true,
  };
}

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
    phases: [
      phase('sequence', 30_000, perMinute + 2, perMinute),
      phase('burst', 900, perMinute + 5, perMinute + 1),
      phase('recovery', 4_000, 3, 3),
    ],
  };
}
