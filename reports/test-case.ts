import type { RunRecord, RequirementResult } from '../lib/evidence/record/record.js';
import { logText, printableDeep } from '../lib/explain/printable.js';
import { exitCode, leavesClassOpen } from '../lib/verdict/class-verdict.js';
import { isNotJudged, outcomeOf, verdictText } from './summary/outcomes.js';
import { runCauses } from './summary/run-causes.js';
import { waiverText } from './text.js';
import { causeText, renderTerminal } from './terminal/terminal-report.js';

/**
 * What a run found, as the terminal tells it, without colour. Text of the target is made printable.
 * @example console.log(describeFindings(await runConformance({ baseUrl, apiKey })));
 */
export function describeFindings(run: RunRecord): string {
  return renderTerminal(run, { columns: 100, colour: false }).trim();
}

/**
 * Throws the findings as text unless the run would end with exit code 0: conformant, or partial by its own selection.
 * @example expectConformant(await runConformance({ baseUrl, apiKey, plan: 'free' }));
 */
export function expectConformant(record: RunRecord): void {
  if (exitCode(record) !== 0) throw failureOf(describeFindings(record));
}

/** An error whose place in this package is of no use to anyone. */
function failureOf(text: string): Error {
  return Object.assign(new Error(text), { name: 'NotConformant', stack: text });
}

/** A requirement as a test of any runner, and why it did not pass. */
export interface TestCase {
  readonly kind: 'passed' | 'failed' | 'error' | 'skipped';
  readonly text: string;
}

/** As the exit code says: a selected MUST without a verdict is an error; what was not selected is skipped with its reason. */
export function testCaseOf(result: RequirementResult, record: RunRecord): TestCase {
  const { verdict, reason = '', waived } = result;
  const outcome = outcomeOf(result, record);
  if (waived) return { kind: 'skipped', text: waiverText(waived) };
  if (outcome === 'fail') return { kind: 'failed', text: foundText(result, record) };
  if (!isNotJudged(outcome)) return { kind: 'passed', text: '' };
  return { kind: leavesClassOpen(result) ? 'error' : 'skipped', text: `${verdictText(verdict)}: ${reason}` };
}

export function foundText(result: RequirementResult, record: RunRecord): string {
  const causes = runCauses({ ...record, requirements: [result] });
  return causes.map((cause) => causeText(cause).join('\n')).join('\n\n');
}

/** Fails, skips or passes the test of a requirement that calls it: a test that could not be judged fails. */
export function tellOutcome(run: RunRecord, id: string, skip: (note: string) => void): void {
  const record = printableDeep(run);
  const result = record.requirements.find((one) => one.id === id);
  if (!result) return skip('the run does not know it');
  const { kind, text } = testCaseOf(result, record);
  if (kind === 'skipped') skip(logText([text]));
  if (kind === 'failed' || kind === 'error') throw failureOf(logText([text]));
}
