import '../../suites/all.js';
import type { Evidence, EvidenceParts } from '../evidence/evidence.js';
import {
  cutOff,
  notReached,
  type RunRecord,
  wasCutOff,
  type RequirementResult,
} from '../evidence/record/record.js';
import { declarationOf } from '../verdict/requirement.js';
import { createsNothing } from '../session/store.js';
import type { RequirementId } from '../specification/catalogue.js';
import { judgeRule, notTestedResult } from '../verdict/judgement.js';
import { NotTested, outcomeOf } from '../verdict/outcome.js';
import { recordedCauses } from '../verdict/causes.js';
import { classResult, runVerdict } from '../verdict/class-verdict.js';
import { measurementOf } from './limits-measured.js';
import { selectionOfRun } from './selection.js';

/** What a run tells of itself, while it goes on or later. */
type Facts = Pick<RunRecord, 'run' | 'target' | 'obstacle'>;

/**
 * Judges requirements by the evidence of a run and by what it tells of itself: nothing is sent.
 * @param endOf what ended the probe of a requirement early; undefined if nothing did
 */
export function rowJudge(
  facts: Facts,
  evidence: Evidence,
  endOf: (id: RequirementId) => unknown,
): (id: RequirementId) => RequirementResult {
  const { run, target, obstacle } = facts;
  const { reasons } = selectionOfRun(facts);
  return (id) => {
    const { rule, kinds, inProfile } = declarationOf(id);
    const room = run.traffic ? undefined : inProfile(run.profile);
    const noRoom =
      typeof room === 'string' ? `the ${run.profile} profile has no room for it: ${room}` : undefined;
    const left = reasons.get(id) ?? noRoom;
    if (left !== undefined) return notTestedResult(id, left);
    const ended = endOf(id);
    // What another service, or a service without a valid key, responds says nothing of the target.
    const isUnsent = obstacle !== undefined && ended !== undefined && outcomeOf(ended).see !== undefined;
    const result = judgeRule(id, () => (isUnsent ? [] : rule(evidence)), ended);
    const isReadOnly = target.readOnly && kinds.includes('creation') && obstacle === undefined;
    if (isReadOnly && result.checks === 0) return notTestedResult(id, createsNothing);
    // What recorded traffic leaves open was not selected by anyone.
    const isLeft = run.traffic && result.verdict === 'inconclusive';
    return isLeft ? notTestedResult(id, result.reason ?? '') : result;
  };
}

/** What stands for the end of a probe that a run did not reach. One that was cut off meant to; one that bails out has decided not to. */
export function unreached({ run }: Facts): NotTested {
  return wasCutOff({ run }) ? new NotTested(run.stopped ?? cutOff, true) : new NotTested(notReached);
}

/** All of a record that does not follow from its results. */
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
    ...(limits && { plans: [measurementOf(limits)] }),
  };
}
