import type { RunRecord } from '../../lib/evidence/record/record.js';
import type { Finding, RequirementResult } from '../../lib/evidence/record/requirement-result.js';
import { classResult, runVerdict } from '../../lib/verdict/class-verdict.js';
import type { Waiver, WaiversFile } from './read-waivers.js';

export interface WaiverRules {
  readonly now: Date;
  /** The file that they stand in, for the record. */
  readonly file?: Pick<WaiversFile, 'file' | 'sha256'> | undefined;
}

/**
 * The record with the waivers of its target applied: a failure or a warning whose findings they cover, and a requirement
 * that could not be judged, is marked and fails nothing, and the verdicts are computed anew. A waiver that has expired (its
 * last day is over, by UTC), or whose requirement was judged and fails no longer, becomes a waiver problem, which fails the
 * run. One whose requirement was not tested in this run is neither. Waivers that the record had before are dropped.
 */
export function applyWaivers(
  record: RunRecord,
  waivers: readonly Waiver[],
  { now, file }: WaiverRules,
): RunRecord {
  const today = now.toISOString().slice(0, 10);
  // One that names the target goes before one for all.
  const own = waivers
    .filter((waiver) => isOfTarget(waiver, record))
    .toSorted((one, other) => Number(one.target === undefined) - Number(other.target === undefined));
  const elsewhere = waivers.filter((waiver) => !own.includes(waiver));
  const inForce = own.filter(({ until }) => until >= today);
  const waive = (result: RequirementResult): RequirementResult => {
    const { waived: _, ...bare } = result;
    const waiver = waiverOf(bare, inForce);
    if (!waiver) return bare;
    const { reason, owner, until } = waiver;
    return { ...bare, waived: { reason, owner, until } };
  };
  const requirements = record.requirements.map(waive);
  const classes = record.classes.map(({ id }) =>
    classResult(id, requirements, { strict: record.run.strict }),
  );
  const problems = own.flatMap((waiver) => problemOf(waiver, record, today));
  const { waiverProblems: _, ...rest } = record;
  return {
    ...rest,
    ...(file && { run: { ...rest.run, waivers: usedFile(file, elsewhere) } }),
    verdict: runVerdict(classes),
    classes,
    requirements,
    ...(problems.length > 0 && { waiverProblems: problems }),
  };
}

/** Whether a waiver holds for the target of a run: by its name, by its address, or as for every target. */
function isOfTarget({ target }: Waiver, record: RunRecord): boolean {
  return target === undefined || target === record.target.name || target === record.target.baseUrl;
}

function usedFile({ file, sha256 }: Pick<WaiversFile, 'file' | 'sha256'>, elsewhere: readonly Waiver[]) {
  const ofOtherTargets = elsewhere.map(({ id, target }) => `${id} (${target})`);
  return { file, sha256, ...(ofOtherTargets.length > 0 && { ofOtherTargets }) };
}

/** The waiver that a result is marked with: every finding of it must be covered, or a new one would go unseen. */
function waiverOf(result: RequirementResult, waivers: readonly Waiver[]): Waiver | undefined {
  if (!isFailure(result) && result.verdict !== 'inconclusive') return undefined;
  const own = waivers.filter(({ id }) => id === result.id);
  const subjects = result.findings.length > 0 ? result.findings : [{ message: result.reason ?? '' }];
  const covering = subjects.map((subject) => own.find(({ matches }) => fits(matches, subject)));
  return covering.includes(undefined) ? undefined : covering[0];
}

function fits(
  matches: Waiver['matches'],
  { message, expected = '', received = '', fact }: Omit<Finding, 'exchanges'>,
): boolean {
  const { operation, status, words = '' } = matches ?? {};
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

/** Why a waiver fails the run; nothing if it is used, or its requirement was not judged. */
function problemOf(
  { id, until, owner, matches }: Waiver,
  { requirements }: RunRecord,
  today: string,
): string[] {
  if (until < today) return [`${id}: expired after ${until}; ask ${owner} to renew or remove it`];
  const found = requirements.find((one) => one.id === id);
  if (!found || found.verdict === 'not-tested' || found.verdict === 'inconclusive') return [];
  if (!isFailure(found))
    return [`${id}: matches no failure, the verdict is ${found.verdict}; ask ${owner} to remove it`];
  if (found.findings.length === 0 || found.findings.some((finding) => fits(matches, finding))) return [];
  return [`${id}: matches no finding of this run; ask ${owner} to remove it`];
}
