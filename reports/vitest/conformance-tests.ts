import type { RunConformanceOptions } from '../../lib/options/run-options.js';
import { runConformance } from '../../lib/run-conformance.js';
import { requirementTests } from './requirement-tests.js';

/**
 * Registers one Vitest test for each requirement: `petstore-conformance/vitest`. One run judges all of them, before the first
 * test. A test fails with the finding as text; it is skipped if the run did not select its requirement.
 *
 * @param options those of `runConformance`; a function is called when the tests begin, after `beforeAll` has started a service
 * @example
 * import { conformanceTests } from 'petstore-conformance/vitest';
 * conformanceTests({ baseUrl: 'http://localhost:8080/v1', apiKey: process.env.PETSTORE_API_KEY, plan: 'free' });
 */
export function conformanceTests(
  options: RunConformanceOptions | (() => RunConformanceOptions | Promise<RunConformanceOptions>) = {},
): void {
  requirementTests('Pet Store Service', async () =>
    runConformance(typeof options === 'function' ? await options() : options),
  );
}
