import { beforeAll, describe, test } from 'vitest';
import type { RunConformanceOptions } from '../../lib/options/run-options.js';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { runConformance } from '../../lib/run-conformance.js';
import { catalogue } from '../../lib/specification/catalogue.js';
import { tellOutcome } from '../test-case.js';

/**
 * Registers a Vitest test for each requirement, all judged by one run before the first; it is skipped if that did not select it.
 * @param options those of `runConformance`; a function is called when the tests begin, after `beforeAll` has started a service
 * @example conformanceTests({ baseUrl: 'http://localhost:8080/v1', apiKey: process.env.PETSTORE_API_KEY, plan: 'free' });
 */
export function conformanceTests(
  options: RunConformanceOptions | (() => RunConformanceOptions | Promise<RunConformanceOptions>) = {},
): void {
  describe('Pet Store Service', () => {
    let record: RunRecord;
    // A run waits for the target's limit, if it must: the client has deadlines of its own.
    beforeAll(async () => {
      record = await runConformance(typeof options === 'function' ? await options() : options);
    }, 0);
    for (const { id, title } of catalogue)
      test(`${id} ${title}`, ({ skip }) => tellOutcome(record, id, skip));
  });
}
