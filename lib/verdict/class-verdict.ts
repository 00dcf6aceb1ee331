import { classOf } from '../specification/catalogue.js';
import {
  type RunRecord,
  classVerdicts,
  verdicts,
  type ClassResult,
  type ClassVerdict,
  type RequirementResult,
  type Verdict,
} from '../evidence/record/record.js';

/** The part of a result that decides the verdict of its class. */
export type JudgedResult = Pick<RequirementResult, 'level' | 'verdict' | 'selected' | 'waived'>;

/** `--strict`: a missed SHOULD counts as a failed MUST. */
type Strictness = Pick<RunRecord['run'], 'strict'>;

/** Whether a requirement fails its class: a failure, or a warning of a strict run, that no waiver covers. */
export function failsClass({ verdict, waived }: JudgedResult, { strict }: Strictness): boolean {
  return waived === undefined && (verdict === 'fail' || (strict === true && verdict === 'warn'));
}

/** Whether a MUST that the run selected has no verdict, so that its class is incomplete. */
export function leavesClassOpen({ level, verdict, selected, waived }: JudgedResult): boolean {
  const isOpen = verdict === 'inconclusive' || (verdict === 'not-tested' && selected === true);
  return level === 'MUST' && waived === undefined && isOpen;
}

/**
 * The verdict of one class from its results. What is waived stays a miss of the specification, or open: it does not fail
 * the run, and the class is not called conformant.
 */
export function classVerdict(results: readonly JudgedResult[], strictness: Strictness = {}): ClassVerdict {
  if (results.some((result) => failsClass(result, strictness))) return 'non-conformant';
  if (results.some(leavesClassOpen)) return 'incomplete';
  const isPartial = results.some(
    ({ level, verdict, waived }) => level === 'MUST' && (verdict === 'not-tested' || waived !== undefined),
  );
  return isPartial || results.length === 0 ? 'partial' : 'conformant';
}

/** The verdict of the run: that of its worst class. A run without a class has judged nothing: `incomplete`. */
export function runVerdict(classes: readonly Pick<ClassResult, 'verdict'>[]): ClassVerdict {
  return classVerdicts.findLast((verdict) => classes.some((one) => one.verdict === verdict)) ?? 'incomplete';
}

/** The class of a result; the user's own requirements are in none of the catalogue's. */
export function classOfResult({ id, own }: Pick<RequirementResult, 'id' | 'own'>): ClassResult['id'] {
  return own ? 'own' : classOf(id);
}

/** The class in the record, from the results of the whole run. */
export function classResult(
  id: ClassResult['id'],
  results: readonly (JudgedResult & Pick<RequirementResult, 'id' | 'own'>)[],
  strictness: Strictness = {},
): ClassResult {
  const own = results.filter((result) => classOfResult(result) === id);
  const counts = Object.fromEntries(verdicts.map((verdict) => [verdict, 0])) as Record<Verdict, number>;
  for (const result of own) counts[result.verdict] += 1;
  const waived = own.filter((result) => result.waived).length;
  return { id, verdict: classVerdict(own, strictness), counts, ...(waived > 0 && { waived }) };
}

/**
 * The exit code of a run that was recorded. 1: non-conformant, or a waiver expired or matches no failure. 3: incomplete
 * (the target was lost, a selected MUST could not be judged, or nothing was judged at all). 0: every selected class is
 * conformant, or partial by the user's own selection. (2 and 130, could not start and interrupted, are the caller's.)
 */
export function exitCode({ verdict, waiverProblems = [], requirements, run }: RunRecord): 0 | 1 | 3 {
  if (verdict === 'non-conformant' || waiverProblems.length > 0) return 1;
  const isOpen = (result: JudgedResult): boolean => ['inconclusive', 'not-tested'].includes(result.verdict);
  return verdict === 'incomplete' || !run.complete || requirements.every(isOpen) ? 3 : 0;
}
