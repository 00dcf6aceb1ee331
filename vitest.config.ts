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

/**
 * `self`: the project's own tests. `suites`: the requirements, as tests of the target that `npm test` would judge
 * (`npx vitest --project suites`).
 */
export default defineConfig({
  test: {
    sequence: { sequencer: WholeRunsFirst },
    pool: 'threads',
    // Many tests wait for a server or a program: on two cores three workers are a tenth faster than two.
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        test: {
          name: 'self',
          include: ['{lib,suites,reports,scripts}/**/*.test.{ts,tsx}'],
          globalSetup: 'scripts/testing/build-program.ts',
          // For what never ends: how long a test takes on a busy machine is no verdict.
          testTimeout: 240_000,
          hookTimeout: 240_000,
          // No test leaves anything behind in a module: what one file has loaded, and V8 has compiled, serves the next.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'suites',
          include: ['suites/*.suite.ts'],
          globalSetup: 'scripts/vitest/suites-run.ts',
          setupFiles: 'scripts/vitest/suite-tests.ts',
          // An editor shows each test at the line that declares its requirement.
          includeTaskLocation: true,
        },
      },
    ],
  },
});
