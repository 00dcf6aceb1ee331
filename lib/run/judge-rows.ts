import '../../suites/all.js';
import type { Evidence, EvidenceParts } from '../evidence/evidence.js';
import type { Exchange } from '../evidence/exchange.js';
import { cutOff, notReached, wasCutOff } from '../evidence/record/cut-off.js';
import type { RunRecord } from '../evidence/record/record.js';
import type { RequirementResult } from '../evidence/record/requirement-result.js';
import { declaredRequirements, type Declaration } from '../verdict/requirement.js';
import { createsNothing } from '../session/store.js';
import type { RequirementId } from '../specification/catalogue.js';
import { judgeRule, notTestedResult } from '../verdict/judgement.js';
import { NotTested, Outcome } from '../verdict/outcome.js';
import { recordedCauses } from '../verdict/causes.js';
import { classResult, runVerdict } from '../verdict/class-verdict.js';
import { measurementOf } from '../limits/limits-of-run.js';
import { selectionOfRun } from './selection.js';

/** What a run tells of itself, while it goes on or later. */
type Facts = Pick<RunRecord, 'run' | 'target' | 'obstacle'>;

/** How a requirement of the catalogue is declared. */
export function declarationOf(id: RequirementId): Declaration {
  const declaration = declaredRequirements().find((one) => one.id === id);
  if (!declaration) throw new Error(`${id} is in the catalogue, and no suite declares it`);
  return declaration;
}

/**
 * Judges requirements by the evidence of a run and by what it tells of itself: nothing is sent.
 * @param endOf what ended the probe of a requirement early; undefined if nothing did
 */
export function rowJudge(
  facts: Facts,
  evidence: Evidence,
  endOf: (id: RequirementId) => unknown,
): (id: RequirementId) => RequirementResult {
  const { reasons } = selectionOfRun(facts);
  const silent = silentIn(facts, evidence.exchanges);
  return (id) => {
    const left = reasons.get(id);
    if (left !== undefined) return notTestedResult(id, left);
    const result = resultOf(id, endOf(id), facts, evidence);
    if (!facts.run.traffic) return unlessLost(result, silent, facts);
    // What recorded traffic leaves open was not selected by anyone.
    return result.verdict === 'inconclusive' ? notTestedResult(id, result.reason ?? '') : result;
  };
}

function resultOf(
  id: RequirementId,
  ended: unknown,
  { run, target, obstacle }: Facts,
  evidence: Evidence,
): RequirementResult {
  const { rule, kinds, inProfile } = declarationOf(id);
  const room = inProfile(run.profile);
  if (typeof room === 'string' && !run.traffic)
    return notTestedResult(id, `the ${run.profile} profile has no room for it: ${room}`);
  // What another service, or a service without a valid key, responds says nothing of the target.
  const isUnsent = obstacle !== undefined && ended instanceof Outcome && ended.see !== undefined;
  const result = judgeRule(id, () => (isUnsent ? [] : rule(evidence)), ended);
  const isReadOnly = target.readOnly && kinds.includes('creation');
  return isReadOnly && result.checks === 0 && obstacle === undefined
    ? notTestedResult(id, createsNothing)
    : result;
}

/**
 * Findings that rest on nothing but silence, in a run that lost its target, accuse what was no longer there: they are
 * taken back. A target that never responded, though it accepted connections, keeps them.
 */
function unlessLost(
  result: RequirementResult,
  silent: ReadonlySet<string>,
  { run }: Facts,
): RequirementResult {
  const findings = result.findings.filter(
    ({ exchanges }) => exchanges.length === 0 || !exchanges.every((id) => silent.has(id)),
  );
  if (findings.length > 0 || result.findings.length === 0) return { ...result, findings };
  const reason = `the target was lost: ${run.stopped ?? ''}`;
  return { ...result, findings, verdict: 'inconclusive', reason };
}

/** Exchanges that only show that the target was lost: those since its last whole response. What speaks, if not HTTP, is not lost. */
function silentIn({ run }: Facts, exchanges: readonly Exchange[]): ReadonlySet<string> {
  if (run.stopped === undefined || !exchanges.some(({ response }) => response)) return new Set();
  const since = exchanges.slice(exchanges.findLastIndex(({ broken }) => broken === undefined) + 1);
  if (since.at(-1)?.response) return new Set();
  return new Set(since.flatMap(({ id, failure }) => (failure?.kind === 'not-http' ? [] : id)));
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
    ...(limits && { plans: [measurementOf(limits, requirements)] }),
  };
}
