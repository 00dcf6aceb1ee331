import type { RunRecord } from '../../lib/evidence/record/record.js';
import { logText } from '../../lib/explain/printable.js';
import { failureOf } from '../assertion/describe-findings.js';
import { viewOf } from '../summary/run-view.js';
import { testCaseOf } from '../test-case.js';

/** Fails, skips or passes the test of a requirement that calls it: a test that could not be judged fails. */
export function tellOutcome(run: RunRecord, id: string, skip: (note: string) => void): void {
  const { record, causes } = viewOf(run);
  const result = record.requirements.find((one) => one.id === id);
  if (!result) return skip('the run does not know it');
  const { kind, text } = testCaseOf(result, record, causes);
  if (kind === 'skipped') skip(logText([text]));
  if (kind === 'failed' || kind === 'error') throw failureOf(logText([text]));
}
