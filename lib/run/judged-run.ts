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
import { requirementIds, type RequirementId } from '../specification/catalogue.js';
import { judgeRule } from '../verdict/judge-rule.js';
import { notTestedResult } from '../verdict/judgement.js';
import { Outcome } from '../verdict/outcome.js';
import { noRoom, selectionOfRun, type Selection } from './selection.js';

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

/** Judges a run by its evidence and by what it tells of itself, while it goes on or later: nothing is sent. */
export class JudgedRun {
  readonly selection: Selection;
  readonly #run: RunToJudge;
  readonly #evidence: Evidence;
  /** Exchanges that only show that the target was lost. */
  readonly #silent: ReadonlySet<string>;

  constructor(run: RunToJudge) {
    const { facts, exchanges, parts, redact } = run;
    this.#run = run;
    this.selection = selectionOfRun(facts);
    this.#evidence = new Evidence(exchanges, { ...factsOf(facts), ...(redact && { redact }) }, parts);
    const wasLost = facts.run.stopped !== undefined && exchanges.some(({ response }) => response);
    this.#silent = new Set(wasLost ? lostSince(exchanges) : []);
  }

  /** A result for every id of the catalogue, in its order. */
  get rows(): RequirementResult[] {
    return requirementIds.map((id) => this.rowOf(id));
  }

  rowOf(id: RequirementId): RequirementResult {
    const left = this.selection.reasons.get(id);
    if (left !== undefined) return notTestedResult(id, left);
    const tried = this.#run.tried(id);
    if (!tried) return unreached(id, this.#run.facts);
    const result = this.#judged(declarationOf(id), tried);
    // What recorded traffic leaves open was not selected by anyone.
    const isOpen = result.verdict === 'inconclusive' && this.#run.facts.run.traffic !== undefined;
    return isOpen ? notTestedResult(id, result.reason ?? '') : this.#unlessLost(result);
  }

  #judged({ id, rule, kinds, inProfile }: Declaration, { ended }: Tried): RequirementResult {
    const { run, target, obstacle } = this.#run.facts;
    const own = inProfile(run.profile);
    if (typeof own === 'string' && !run.traffic) return notTestedResult(id, noRoom(run.profile, own));
    // What another service, or a service without a valid key, responds says nothing of the target.
    const isUnsent = obstacle !== undefined && ended instanceof Outcome && ended.see !== undefined;
    const checks = () => (isUnsent ? [] : rule(this.#evidence));
    const result = judgeRule(id, checks, ended);
    const isReadOnly = target.readOnly && kinds.includes('creation');
    return isReadOnly && result.checks === 0 && obstacle === undefined
      ? notTestedResult(id, createsNothing)
      : result;
  }

  /**
   * Findings that rest on nothing but silence, in a run that lost its target, accuse what was no longer there: they are
   * taken back. A target that never responded, though it accepted connections, keeps them.
   */
  #unlessLost(result: RequirementResult): RequirementResult {
    if (this.#silent.size === 0 || result.findings.length === 0) return result;
    const findings = result.findings.filter(
      ({ exchanges }) => exchanges.length === 0 || !exchanges.every((id) => this.#silent.has(id)),
    );
    if (findings.length > 0) return { ...result, findings };
    const reason = `the target was lost: ${this.#run.facts.run.stopped ?? ''}`;
    return { ...result, findings, verdict: 'inconclusive', reason };
  }
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

/** The exchanges since the last whole response that the loss of the target explains: nothing that speaks, if not HTTP, is lost. */
function lostSince(exchanges: readonly Exchange[]): string[] {
  const last = exchanges.findLastIndex(({ broken }) => broken === undefined);
  const since = exchanges.slice(last + 1);
  if (since.at(-1)?.response) return [];
  return since.flatMap(({ id, failure }) => (failure?.kind === 'not-http' ? [] : id));
}
