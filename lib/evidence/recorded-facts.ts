import type { EvidenceFacts } from '../evidence/evidence.js';
import type { RunRecord } from './record/record.js';
import { removalDate } from '../specification/catalogue.js';
import { plans, type Plan } from '../specification/plan.js';

/** The facts of a recorded run. */
export function factsOf({ run, target }: Pick<RunRecord, 'run' | 'target'>): EvidenceFacts {
  const { consistencyMs = 2_000, categoryId } = run.options ?? {};
  return {
    plan: planOf(target),
    planGiven: target.planGiven ?? true,
    clockDifference: target.clockDifferenceMs,
    removalDatePassed: Date.parse(run.startedAt) >= removalDate,
    // The evidence was redacted when it was written.
    redact: (text) => text,
    keyMayBeWord: target.keyMayBeWord ?? false,
    consistencyMs,
    categoryId: categoryId === undefined ? undefined : BigInt(categoryId),
    readOnly: target.readOnly,
  };
}

/** The plan of a recorded run, with its figures. */
function planOf({ plan: name, perMinute, perDay }: RunRecord['target']): Plan {
  if (perMinute !== undefined && perDay !== undefined) return { name, perMinute, perDay };
  return name === 'enterprise' ? { name, perMinute: 0, perDay: 0 } : plans[name];
}
