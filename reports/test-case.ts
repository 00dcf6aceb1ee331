import type { RunRecord } from '../lib/evidence/record/record.js';
import type { RequirementResult } from '../lib/evidence/record/requirement-result.js';
import { logText } from '../lib/explain/printable.js';
import { leavesClassOpen } from '../lib/verdict/class-verdict.js';
import { failureOf } from './assertion/describe-findings.js';
import { isNotJudged, outcomeOf, verdictText } from './summary/requirement-outcome.js';
import type { RunCause } from './summary/run-causes.js';
import { viewOf } from './summary/run-view.js';
import { dataLines } from './terminal/cause-lines.js';
import { plainLayout } from './terminal/layout.js';
import { firstSentence, messageText, waiverText, withoutCodeMarks } from './text/finding-text.js';

/** A requirement as a test of any runner, and why it did not pass. */
export interface TestCase {
  readonly kind: 'passed' | 'failed' | 'error' | 'skipped';
  readonly text: string;
}

/**
 * What the exit code tells, a test tells, too: what fails the run is failed, and a selected MUST that could not be judged is
 * an error. What was not selected and what is waived is skipped with its reason, so that it never reads as a pass.
 */
export function testCaseOf(
  result: RequirementResult,
  record: RunRecord,
  causes: readonly RunCause[],
): TestCase {
  const { verdict, reason = '', waived } = result;
  const outcome = outcomeOf(result, record);
  if (waived) return { kind: 'skipped', text: waiverText(waived) };
  if (outcome === 'fail') return { kind: 'failed', text: foundText(result, causes) };
  if (!isNotJudged(outcome)) return { kind: 'passed', text: '' };
  return { kind: leavesClassOpen(result) ? 'error' : 'skipped', text: `${verdictText(verdict)}: ${reason}` };
}

/** Every finding of a requirement, and what its causes say beside them. */
export function foundText(result: RequirementResult, causes: readonly RunCause[]): string {
  const found = result.findings.map((finding) => [
    messageText(finding),
    ...dataLines(finding, plainLayout),
    finding.reproduce && `    ${finding.reproduce}`,
  ]);
  const beside = causes
    .filter(({ results }) => results.includes(result))
    .flatMap(({ named, ids, message, remarks, fix, explain }) => [
      named.length > 1 && `One cause of ${ids}: ${message}.`,
      ...remarks,
      fix && `Fix: ${firstSentence(fix)}`,
      explain,
    ]);
  return [...found, beside].map((lines) => withoutCodeMarks(lines.filter(Boolean).join('\n'))).join('\n\n');
}

/** Fails, skips or passes the test of a requirement that calls it: a test that could not be judged fails. */
export function tellOutcome(run: RunRecord, id: string, skip: (note: string) => void): void {
  const { record, causes } = viewOf(run);
  const result = record.requirements.find((one) => one.id === id);
  if (!result) return skip('the run does not know it');
  const { kind, text } = testCaseOf(result, record, causes);
  if (kind === 'skipped') skip(logText([text]));
  if (kind === 'failed' || kind === 'error') throw failureOf(logText([text]));
}
