import { configDefaults, defineConfig } from 'vitest/config';

/** What a test measures of its process must not be another's. */
const measuringMemory = ['lib/hostile/memory.test.ts', 'reports/html/scale.test.ts'];

/** The project's own tests. A conformance run never reads this file: it drives Vitest with settings of its own. */
export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // No test leaves anything behind in a module: what one file has loaded, and V8 has compiled, serves the next.
    isolate: false,
    // Many tests wait for a server or a program: on two cores three workers are a tenth faster than two.
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        test: {
          name: 'in threads',
          pool: 'threads',
          include: ['{lib,suites,reports}/**/*.test.{ts,tsx}'],
          exclude: [...configDefaults.exclude, ...measuringMemory],
        },
      },
      {
        extends: true,
        test: { name: 'in a process of its own', pool: 'forks', include: measuringMemory },
      },
      {
        extends: true,
        test: {
          name: 'of the programs',
          pool: 'threads',
          include: ['scripts/**/*.test.ts'],
          globalSetup: 'scripts/testing/build-package.ts',
        },
      },
    ],
  },
});
