import { beforeAll, describe, test } from 'vitest';
import type { RunRecord } from '../../lib/record/record.js';
import { catalogue } from '../../lib/specification/catalogue.js';
import { failureOf } from '../assertion/describe-findings.js';
import { testOutcome } from '../assertion/test-outcome.js';

/** Registers one test for each requirement. They pass, fail or are skipped as the record of a run says. */
export function requirementTests(title: string, runRecord: () => Promise<RunRecord>): void {
  describe(title, () => {
    let record: RunRecord;
    // A run waits for the target's limit, if it must: the client has deadlines of its own.
    beforeAll(async () => {
      record = await runRecord();
    }, 0);
    for (const { id, title } of catalogue) {
      test(`${id} ${title}`, ({ skip }) => {
        const { outcome, text } = testOutcome(record, id);
        if (outcome === 'skipped') skip(text);
        if (outcome === 'failed') throw failureOf(text);
      });
    }
  });
}
