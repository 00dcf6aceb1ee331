import type { EvidenceParts } from '../evidence/evidence.js';
import type { RunRecord } from '../evidence/record/record.js';
import type { RequirementResult } from '../evidence/record/requirement-result.js';
import { measurementOf } from '../limits/limits-of-run.js';
import { recordedCauses } from '../verdict/causes.js';
import { classResult, runVerdict } from '../verdict/class-verdict.js';
import { selectionOfRun } from './selection.js';

/** All of a record that is told and counted. The rest is judged. */
export type RunFacts = Omit<RunRecord, 'verdict' | 'classes' | 'causes' | 'requirements'>;

/** The record of a run: what it tells of itself, the results of all requirements, and what follows from them. */
export function recordOf(
  facts: RunFacts,
  requirements: RequirementResult[],
  { limits }: EvidenceParts = {},
): RunRecord {
  const { run } = facts;
  const named = [...selectionOfRun(facts).classes, ...(run.options?.rules?.strict ? ['own' as const] : [])];
  const classes = named.map((id) => classResult(id, requirements, { strict: run.strict }));
  return {
    ...facts,
    verdict: runVerdict(classes),
    classes,
    causes: recordedCauses(requirements),
    requirements,
    ...(limits && { plans: [measurementOf(limits, requirements)] }),
  };
}
