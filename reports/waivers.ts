import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { RunRecord, Finding, RequirementResult } from '../lib/evidence/record/record.js';
import { operationNames } from '../lib/evidence/recorded-exchange.js';
import { textIn, UsageProblem } from '../lib/explain/usage-problem.js';
import { checkOptions, oneOf, type OptionValues } from '../lib/options/option.js';
import { checkedYaml } from '../lib/options/sources.js';
import { catalogue } from '../lib/specification/catalogue.js';
import { isObject } from '../lib/specification/json-value.js';
import { classResult, runVerdict } from '../lib/verdict/class-verdict.js';

/** An observation never fails: there is nothing to waive. */
const waivableIds = catalogue.filter(({ level }) => level !== 'OBSERVE').map(({ id }) => id);

const said = (message: string) => z.string(message).trim().min(1, message);

const waiver = {
  id: oneOf(waivableIds, 'requirement that can fail'),
  /** The name or the base address of the target that it holds for; absent: for every target. */
  target: z.string().min(1).optional(),
  reason: said('must say why the failure is tolerated'),
  owner: said('must say who is responsible'),
  /** The findings that it is for, all of which must fit: another one is a new failure. Absent: every finding. */
  matches: z
    .strictObject({
      operation: oneOf(operationNames).optional(),
      /** The status of the response that shows it. */
      status: z.int('must be a status such as 500').optional(),
      /** Words of the finding, or of the reason why a requirement could not be judged. */
      words: said('must be words of the finding').optional(),
    })
    .refine((matches) => Object.keys(matches).length > 0, 'must name an operation, a status or words')
    .optional(),
  /** The last day on which it holds, by UTC. */
  until: z.iso.date('must be a date such as 2026-04-30'),
};
export type Waiver = OptionValues<typeof waiver>;

/** Reads a list of waivers from a YAML or JSON file. @throws UsageProblem that names the waiver that is wrong. */
export async function readWaivers(file: string) {
  const text = textIn(file, `the waivers ${file}`);
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { file, sha256, waivers: await parseWaivers(text, file) };
}

export async function parseWaivers(text: string, file: string): Promise<readonly Waiver[]> {
  return checkedYaml(file, text, (listed = []) => {
    if (!Array.isArray(listed) || !listed.every(isObject))
      throw new UsageProblem('a list of waivers is expected, each with id, reason, owner and until');
    return listed.map((entry, index) =>
      checkOptions(waiver, entry, (path) => `${path.join('.')} of waiver ${index + 1}`),
    );
  });
}

/**
 * The record with the waivers of its target applied: what they cover is marked and fails nothing, and the verdicts are computed
 * anew. One that expired before the run ended (by UTC), or covers nothing that was judged, is a problem, which fails the run.
 */
export function applyWaivers(
  record: RunRecord,
  { file, sha256, waivers }: Awaited<ReturnType<typeof readWaivers>>,
): RunRecord {
  const { run, target } = record;
  const today = run.finishedAt.slice(0, 10);
  const targets = new Set([undefined, target.name, target.baseUrl]);
  const own = waivers.filter((one) => targets.has(one.target));
  const ofOtherTargets = waivers.flatMap((one) => (own.includes(one) ? [] : `${one.id} (${one.target})`));
  const inForce = own.filter(({ until }) => until >= today);
  const requirements = record.requirements.map((result) => {
    const { reason, owner, until } = waiverOf(result, inForce) ?? {};
    return reason && owner && until ? { ...result, waived: { reason, owner, until } } : result;
  });
  const classes = record.classes.map(({ id }) => classResult(id, requirements, { strict: run.strict }));
  const problems = own.flatMap((one) => problemOf(one, record, today) ?? []);
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
  const covering = subjects.map((subject) => own.find((one) => fits(one, subject)));
  return covering.includes(undefined) ? undefined : covering[0];
}

function fits({ matches }: Waiver, { message, expected, received, fact }: Omit<Finding, 'exchanges'>) {
  const { operation = fact?.operation, status = fact?.status, words = '' } = matches ?? {};
  const text = [message, expected, received].join('\n').toLowerCase();
  return operation === fact?.operation && status === fact?.status && text.includes(words.toLowerCase());
}

function isFailure({ verdict }: RequirementResult): boolean {
  return verdict === 'fail' || verdict === 'warn';
}

/** Why a waiver fails the run; undefined if it is used, or its requirement was not judged. */
function problemOf(one: Waiver, { requirements }: RunRecord, today: string): string | undefined {
  const { id, until, owner } = one;
  if (until < today) return `${id}: expired after ${until}; ask ${owner} to renew or remove it`;
  const found = requirements.find((row) => row.id === id);
  if (!found || found.verdict === 'not-tested' || found.verdict === 'inconclusive') return undefined;
  const isCovering = found.findings.length === 0 || found.findings.some((finding) => fits(one, finding));
  return isFailure(found) && isCovering
    ? undefined
    : `${id}: matches no finding of this run, the verdict is ${found.verdict}; ask ${owner} to remove it`;
}
