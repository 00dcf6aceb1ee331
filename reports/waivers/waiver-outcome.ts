import type { RunRecord } from '../../lib/evidence/record/record.js';
import type { Finding, RequirementResult } from '../../lib/evidence/record/requirement-result.js';
import { classResult, runVerdict } from '../../lib/verdict/class-verdict.js';
import type { Waiver, WaiversFile } from './read-waivers.js';

/**
 * The record with the waivers of its target applied: a failure or a warning whose findings they cover, and a requirement
 * that could not be judged, is marked and fails nothing, and the verdicts are computed anew. A waiver that has expired (its
 * last day was over when the run ended, by UTC), or whose requirement was judged and fails no longer, becomes a waiver problem,
 * which fails the run. One whose requirement was not tested in this run is neither.
 */
export function applyWaivers(record: RunRecord, { file, sha256, waivers }: WaiversFile): RunRecord {
  const { run, target } = record;
  const today = run.finishedAt.slice(0, 10);
  const targets = new Set([undefined, target.name, target.baseUrl]);
  const own = waivers.filter((waiver) => targets.has(waiver.target));
  const elsewhere = waivers.filter((waiver) => !own.includes(waiver));
  const ofOtherTargets = elsewhere.map((waiver) => `${waiver.id} (${waiver.target})`);
  const inForce = own.filter(({ until }) => until >= today);
  const requirements = record.requirements.map((result) => {
    const { reason, owner, until } = waiverOf(result, inForce) ?? {};
    return reason && owner && until ? { ...result, waived: { reason, owner, until } } : result;
  });
  const classes = record.classes.map(({ id }) => classResult(id, requirements, { strict: run.strict }));
  const problems = own.flatMap((waiver) => problemOf(waiver, record, today) ?? []);
  return {
    ...record,
    run: { ...run, waivers: { file, sha256, ...(ofOtherTargets.length > 0 && { ofOtherTargets }) } },
    verdict: runVerdict(classes),
    classes,
    requirements,
    ...(problems.length > 0 && { waiverProblems: problems }),
  };
}

/** The waiver that a result is marked with: every finding of it must be covered, or a new one would go unseen. */
function waiverOf(result: RequirementResult, waivers: readonly Waiver[]): Waiver | undefined {
  if (!isFailure(result) && result.verdict !== 'inconclusive') return undefined;
  const own = waivers.filter(({ id }) => id === result.id);
  const subjects = result.findings.length > 0 ? result.findings : [{ message: result.reason ?? '' }];
  const covering = subjects.map((subject) => own.find((waiver) => fits(waiver, subject)));
  return covering.includes(undefined) ? undefined : covering[0];
}

function fits(
  { matches: { operation, status, words = '' } = {} }: Waiver,
  { message, expected = '', received = '', fact }: Omit<Finding, 'exchanges'>,
): boolean {
  const text = `${message}\n${expected}\n${received}`.toLowerCase();
  return (
    (operation === undefined || fact?.operation === operation) &&
    (status === undefined || fact?.status === status) &&
    text.includes(words.toLowerCase())
  );
}

function isFailure({ verdict }: RequirementResult): boolean {
  return verdict === 'fail' || verdict === 'warn';
}

/** Why a waiver fails the run; undefined if it is used, or its requirement was not judged. */
function problemOf(waiver: Waiver, { requirements }: RunRecord, today: string): string | undefined {
  const { id, until, owner } = waiver;
  if (until < today) return `${id}: expired after ${until}; ask ${owner} to renew or remove it`;
  const found = requirements.find((one) => one.id === id);
  if (!found || found.verdict === 'not-tested' || found.verdict === 'inconclusive') return undefined;
  if (!isFailure(found))
    return `${id}: matches no failure, the verdict is ${found.verdict}; ask ${owner} to remove it`;
  const isUsed = found.findings.length === 0 || found.findings.some((finding) => fits(waiver, finding));
  return isUsed ? undefined : `${id}: matches no finding of this run; ask ${owner} to remove it`;
}
