import type { RunRecord } from '../../lib/evidence/record/record.js';
import { logText, printableDeep } from '../../lib/explain/printable.js';
import { failsClass, leavesClassOpen } from '../../lib/verdict/class-verdict.js';
import { verdictText } from '../summary/requirement-outcome.js';
import { runCauses } from '../summary/run-causes.js';
import { failureOf } from '../assertion/describe-findings.js';
import { causeText } from '../terminal/cause-lines.js';

interface TestOutcome {
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Why it failed or was skipped. */
  readonly text: string;
}

/**
 * A requirement as a test. What fails the run fails the test, a MUST that could not be judged included: a test that is
 * skipped because the target was away would read as a pass.
 */
export function testOutcome(run: RunRecord, id: string): TestOutcome {
  const record = printableDeep(run);
  const result = record.requirements.find((one) => one.id === id);
  if (!result) return { outcome: 'skipped', text: 'the run does not know it' };
  const { verdict, reason = '', waived } = result;
  if (failsClass(result, record.run)) {
    const own = runCauses(record).filter(({ results }) => results.includes(result));
    return { outcome: 'failed', text: logText(own.flatMap(causeText)) };
  }
  if (leavesClassOpen(result))
    return { outcome: 'failed', text: `${verdictText(verdict)}: ${logText([reason])}` };
  if (waived) return { outcome: 'skipped', text: `waived until ${waived.until}: ${waived.reason}` };
  const isJudged = verdict === 'pass' || verdict === 'warn' || verdict === 'observed';
  return isJudged
    ? { outcome: 'passed', text: '' }
    : { outcome: 'skipped', text: `${verdictText(verdict)}: ${logText([reason])}` };
}

/** Fails, skips or passes the test that calls it. */
export function tellOutcome(run: RunRecord, id: string, skip: (note: string) => void): void {
  const { outcome, text } = testOutcome(run, id);
  if (outcome === 'skipped') skip(text);
  if (outcome === 'failed') throw failureOf(text);
}
