import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that are whole runs: their files are short, and take longest. */
const wholeRuns =
  /\/(lib\/(proof|hostile|limits|replay|run)|scripts|reports\/(html|verify))\/[^/]*\.test\.ts$/;

/** On a fresh checkout Vitest begins with the largest files, and one worker would be left with the longest at the end. */
class WholeRunsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isWhole = ({ moduleId }: TestSpecification): boolean => wholeRuns.test(moduleId);
    return [...sorted.filter(isWhole), ...sorted.filter((file) => !isWhole(file))];
  }
}

/** The project's own tests. A conformance run never reads this file. */
export default defineConfig({
  test: {
    include: ['{lib,suites,reports,scripts}/**/*.test.{ts,tsx}'],
    globalSetup: 'scripts/testing/build-program.ts',
    sequence: { sequencer: WholeRunsFirst },
    // For what never ends: how long a test takes on a busy machine is no verdict.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    pool: 'threads',
    // No test leaves anything behind in a module: what one file has loaded, and V8 has compiled, serves the next.
    isolate: false,
    // Many tests wait for a server or a program: on two cores three workers are a tenth faster than two.
    maxWorkers: 3,
  },
});
