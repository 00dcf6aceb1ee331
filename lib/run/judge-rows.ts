import '../../suites/all.js';
import { Evidence, type EvidenceParts } from '../evidence/evidence.js';
import { factsOf } from '../evidence/facts.js';
import type { Exchange } from '../evidence/exchange.js';
import type { Redact } from '../evidence/redaction.js';
import { cutOff, notReached, wasCutOff } from '../evidence/record/cut-off.js';
import type { RunRecord } from '../evidence/record/record.js';
import type { RequirementResult } from '../evidence/record/requirement-result.js';
import { declaredRequirements, type Declaration } from '../verdict/requirement.js';
import { createsNothing } from '../session/store.js';
import type { RequirementId } from '../specification/catalogue.js';
import { judgeRule } from '../verdict/judge-rule.js';
import { notTestedResult } from '../verdict/judgement.js';
import { Outcome } from '../verdict/outcome.js';
import { noRoom, type Selection } from './selection.js';

/** What a run tells of itself that its requirements are judged by. */
export type FactsToJudge = Pick<RunRecord, 'run' | 'target' | 'obstacle'>;

/** How the probe of a requirement ended; `ended` is what ended it early. */
export interface Tried {
  readonly ended?: unknown;
}

export interface RunToJudge {
  readonly facts: FactsToJudge;
  /** In the order of completion. */
  readonly exchanges: readonly Exchange[];
  readonly parts?: EvidenceParts;
  /** What the probes came to; undefined for one that the run did not reach. */
  readonly tried: (id: RequirementId) => Tried | undefined;
  /** What was recorded is redacted already. */
  readonly redact?: Redact;
}

/** How a requirement of the catalogue is declared. */
export function declarationOf(id: RequirementId): Declaration {
  const declaration = declaredRequirements().find((one) => one.id === id);
  if (!declaration) throw new Error(`${id} is in the catalogue, and no suite declares it`);
  return declaration;
}

/** Judges requirements by the evidence of a run and by what it tells of itself, while it goes on or later: nothing is sent. */
export function rowJudge(
  { facts, exchanges, parts, tried, redact }: RunToJudge,
  selection: Selection,
): (id: RequirementId) => RequirementResult {
  const evidence = new Evidence(exchanges, { ...factsOf(facts), ...(redact && { redact }) }, parts);
  const silent = silentIn(facts, exchanges);
  return (id) => {
    const left = selection.reasons.get(id);
    if (left !== undefined) return notTestedResult(id, left);
    const how = tried(id);
    if (!how) return unreached(id, facts);
    const result = resultOf(id, how, facts, evidence);
    // What recorded traffic leaves open was not selected by anyone.
    if (facts.run.traffic) return result.verdict === 'inconclusive' ? leftOpen(result) : result;
    return unlessLost(result, silent, facts);
  };
}

function resultOf(
  id: RequirementId,
  { ended }: Tried,
  { run, target, obstacle }: FactsToJudge,
  evidence: Evidence,
): RequirementResult {
  const { rule, kinds, inProfile } = declarationOf(id);
  const own = inProfile(run.profile);
  if (typeof own === 'string' && !run.traffic) return notTestedResult(id, noRoom(run.profile, own));
  // What another service, or a service without a valid key, responds says nothing of the target.
  const isUnsent = obstacle !== undefined && ended instanceof Outcome && ended.see !== undefined;
  const result = judgeRule(id, () => (isUnsent ? [] : rule(evidence)), ended);
  const isReadOnly = target.readOnly && kinds.includes('creation');
  return isReadOnly && result.checks === 0 && obstacle === undefined
    ? notTestedResult(id, createsNothing)
    : result;
}

function leftOpen({ id, reason = '' }: RequirementResult): RequirementResult {
  return notTestedResult(id as RequirementId, reason);
}

/**
 * Findings that rest on nothing but silence, in a run that lost its target, accuse what was no longer there: they are
 * taken back. A target that never responded, though it accepted connections, keeps them.
 */
function unlessLost(
  result: RequirementResult,
  silent: ReadonlySet<string>,
  { run }: FactsToJudge,
): RequirementResult {
  const findings = result.findings.filter(
    ({ exchanges }) => exchanges.length === 0 || !exchanges.every((id) => silent.has(id)),
  );
  if (findings.length > 0 || result.findings.length === 0) return { ...result, findings };
  return {
    ...result,
    findings,
    verdict: 'inconclusive',
    reason: `the target was lost: ${run.stopped ?? ''}`,
  };
}

/** Exchanges that only show that the target was lost: those since its last whole response. What speaks, if not HTTP, is not lost. */
function silentIn({ run }: FactsToJudge, exchanges: readonly Exchange[]): ReadonlySet<string> {
  if (run.stopped === undefined || !exchanges.some(({ response }) => response)) return new Set();
  const since = exchanges.slice(exchanges.findLastIndex(({ broken }) => broken === undefined) + 1);
  if (since.at(-1)?.response) return new Set();
  return new Set(since.flatMap(({ id, failure }) => (failure?.kind === 'not-http' ? [] : id)));
}

/** Whether a result says that the run did not reach the requirement, and the run says so, too. */
export function isUnreached(row: RequirementResult, { run }: FactsToJudge): boolean {
  const mayLack = !run.complete || run.options?.bail !== undefined;
  if (!mayLack || row.verdict !== 'not-tested' || row.ended !== undefined) return false;
  return row.reason === unreached(row.id as RequirementId, { run }).reason;
}

/** A run that was cut off meant to try the requirement; one that bails out has decided not to. */
function unreached(id: RequirementId, facts: Pick<FactsToJudge, 'run'>): RequirementResult {
  return wasCutOff(facts)
    ? notTestedResult(id, facts.run.stopped ?? cutOff, true)
    : notTestedResult(id, notReached);
}
