import { inspect } from 'node:util';
import { BudgetSpent, Interrupted, RunStopped } from '../http/client/run-end.js';
import type { Finding, RequirementResult, Verdict } from '../record/record.js';
import { requirementRow, type Level, type RequirementId } from '../specification/catalogue.js';
import { Inconclusive, NotApplicable, NotTested } from './outcome.js';
import type { Judgement } from './judgement.js';

/** Findings that a row lists; more of the same message are counted. */
const mostFindings = 12;
const mostExchanges = 20;

/** The row of a requirement that was tried: its verdict from what the trial kept and how the probe ended. */
export function resultOf(judgement: Judgement, thrown?: unknown): RequirementResult {
  const { level } = requirementRow(judgement.id);
  const { verdict, reason, selected } = outcome(level, judgement, thrown);
  const findings = gathered(judgement.findings);
  return {
    ...catalogueFields(judgement.id),
    verdict,
    ...(reason === undefined ? {} : { reason }),
    checks: judgement.checks,
    findings,
    ...(judgement.observations.length === 0 ? {} : { observations: judgement.observations }),
    ...(judgement.notes.length === 0 ? {} : { notes: judgement.notes }),
    selected,
  };
}

/** The row of a requirement that this run left out. */
export function notTestedResult(id: RequirementId, reason: string, selected = false): RequirementResult {
  return { ...catalogueFields(id), verdict: 'not-tested', reason, checks: 0, findings: [], selected };
}

function catalogueFields(id: RequirementId): Pick<RequirementResult, 'id' | 'level' | 'section' | 'title'> {
  const { level, section, title } = requirementRow(id);
  return { id, level, section, title };
}

const failed = { MUST: 'fail', SHOULD: 'warn', OBSERVE: 'observed' } as const satisfies Record<
  Level,
  Verdict
>;
const held = { MUST: 'pass', SHOULD: 'pass', OBSERVE: 'observed' } as const satisfies Record<Level, Verdict>;

interface Outcome {
  readonly verdict: Verdict;
  readonly reason?: string;
  readonly selected: boolean;
}

function outcome(level: Level, judgement: Judgement, thrown: unknown): Outcome {
  // What was shown to be wrong stays wrong, whatever kept the rest from being tried.
  if (judgement.findings.length > 0) return { verdict: failed[level], selected: true };
  if (thrown instanceof NotTested) {
    return { verdict: 'not-tested', reason: thrown.message, selected: thrown.selected };
  }
  if (thrown instanceof BudgetSpent || thrown instanceof RunStopped || thrown instanceof Interrupted) {
    return { verdict: 'not-tested', reason: thrown.message, selected: true };
  }
  if (thrown instanceof NotApplicable)
    return { verdict: 'not-applicable', reason: thrown.message, selected: true };
  if (thrown instanceof Inconclusive)
    return { verdict: 'inconclusive', reason: thrown.message, selected: true };
  if (thrown !== undefined) {
    const message = thrown instanceof Error ? thrown.message : inspect(thrown);
    return {
      verdict: 'inconclusive',
      reason: `an error of the suite, please report it: ${message}`,
      selected: true,
    };
  }
  if (judgement.open.length > 0)
    return { verdict: 'inconclusive', reason: judgement.open.join('; '), selected: true };
  if (judgement.checks === 0)
    return { verdict: 'inconclusive', reason: 'no exchange of this run exercised it', selected: true };
  return { verdict: held[level], selected: true };
}

/** Findings of the same message become one that lists their exchanges; a row shows the first ones. */
function gathered(findings: readonly Finding[]): Finding[] {
  const byMessage = new Map<string, Finding & { count: number }>();
  for (const finding of findings) {
    const known = byMessage.get(finding.message);
    if (!known) {
      byMessage.set(finding.message, { ...finding, exchanges: [...finding.exchanges], count: 1 });
      continue;
    }
    known.count += 1;
    if (known.exchanges.length < mostExchanges) {
      known.exchanges.push(...finding.exchanges.filter((id) => !known.exchanges.includes(id)));
    }
  }
  return [...byMessage.values()]
    .slice(0, mostFindings)
    .map(({ count, ...finding }) => ({ ...finding, ...(count > 1 ? { occurrences: count } : {}) }));
}
