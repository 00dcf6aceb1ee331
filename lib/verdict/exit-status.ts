import type { RunRecord } from '../evidence/record/record.js';
import type { Verdict } from '../evidence/record/requirement-result.js';

/** The verdicts that say something of the target; a run without one of them has shown nothing. */
const saysSomething: ReadonlySet<Verdict> = new Set(['pass', 'fail', 'warn', 'observed', 'not-applicable']);

/**
 * The exit code of a run that was recorded. 1: non-conformant, or a waiver expired or matches no failure. 3: incomplete
 * (the target was lost, a selected MUST could not be judged, or nothing was judged at all). 0: every selected class is
 * conformant, or partial by the user's own selection. (2 and 130, could not start and interrupted, are the caller's.)
 */
export function exitCode(
  record: Pick<RunRecord, 'verdict' | 'waiverProblems' | 'requirements'> & {
    run: Pick<RunRecord['run'], 'complete'>;
  },
): 0 | 1 | 3 {
  if (record.verdict === 'non-conformant' || (record.waiverProblems?.length ?? 0) > 0) return 1;
  if (record.verdict === 'incomplete' || !record.run.complete) return 3;
  return record.requirements.some((result) => saysSomething.has(result.verdict)) ? 0 : 3;
}
