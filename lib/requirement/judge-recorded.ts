import { Evidence, type EvidenceFacts } from '../evidence/evidence.js';
import type { Exchange } from '../http/exchange/exchange.js';
import type { RequirementResult, RunRecord } from '../record/record.js';
import { removalDate } from '../specification/catalogue.js';
import { plans, type Plan } from '../specification/plan.js';
import { recordedEnd } from '../verdict/judge-rule.js';
import { judgeEvidence } from './judge-evidence.js';

/**
 * A recorded run as the rules judge its evidence now. Requirements that were not tried stay as they are, and so do those
 * that have no rule.
 * @param others the record that these are taken from
 */
export function judgeRecorded(
  record: RunRecord,
  exchanges: readonly Exchange[],
  others: RunRecord = record,
): RunRecord {
  const recorded = new Map<string, RequirementResult>(record.requirements.map((row) => [row.id, row]));
  const results = new Map<string, RequirementResult>(
    judgeEvidence(new Evidence(exchanges, factsOf(record)), (id) => recordedEnd(recorded.get(id) ?? {})),
  );
  const requirements = others.requirements.map((row) => {
    // What responded was not the target, or nothing did.
    const isUnsent = row.ended !== undefined && row.checks === 0;
    return row.verdict === 'not-tested' || isUnsent ? row : (results.get(row.id) ?? row);
  });
  return { ...others, requirements };
}

/** The facts of a recorded run. */
export function factsOf({ run, target }: RunRecord): EvidenceFacts {
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
