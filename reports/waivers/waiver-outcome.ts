import type { RequirementResult, RunRecord } from '../../lib/record/record.js';
import { classResult, runVerdict } from '../../lib/verdict/class-verdict.js';
import type { Waiver } from './read-waivers.js';

/**
 * The record with the waivers of its target applied: a failure or a warning that one covers is marked and fails nothing,
 * and the verdicts are computed anew. A waiver that has expired (its last day is over, by UTC), or whose requirement was
 * judged and fails no longer, becomes a waiver problem, which fails the run. One whose requirement was not judged in
 * this run is neither. Waivers that the record had before are dropped.
 */
export function applyWaivers(
  record: RunRecord,
  waivers: readonly Waiver[],
  { now }: { now: Date },
): RunRecord {
  const today = now.toISOString().slice(0, 10);
  const own = waivers
    .filter(({ target }) => target === undefined || isTarget(target, record))
    .toSorted((one, other) => Number(one.target === undefined) - Number(other.target === undefined));
  const inForce = own.filter(({ until }) => until >= today);
  const waive = (result: RequirementResult): RequirementResult => {
    const { waived: _, ...bare } = result;
    const waiver = isFailure(result) ? inForce.find(({ id }) => id === result.id) : undefined;
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
    verdict: runVerdict(classes),
    classes,
    requirements,
    ...(record.plans && {
      plans: record.plans.map((plan) => ({ ...plan, requirements: plan.requirements.map(waive) })),
    }),
    ...(problems.length > 0 && { waiverProblems: problems }),
  };
}

function isTarget(name: string, { target }: RunRecord): boolean {
  return name === target.name || name === target.baseUrl;
}

function isFailure(result: RequirementResult): boolean {
  return result.verdict === 'fail' || result.verdict === 'warn';
}

const notJudged: ReadonlySet<string> = new Set(['not-tested', 'inconclusive']);

function problemOf({ id, until, owner }: Waiver, { requirements }: RunRecord, today: string): string[] {
  if (until < today) return [`${id}: expired after ${until}; ask ${owner} to renew or remove it`];
  const found = requirements.find((one) => one.id === id);
  if (!found || isFailure(found) || notJudged.has(found.verdict)) return [];
  return [`${id}: matches no failure, the verdict is ${found.verdict}; ask ${owner} to remove it`];
}
