import { defineConfig } from 'vitest/config';

/** The project's own tests. A conformance run never reads this file: it drives Vitest with settings of its own. */
export default defineConfig({
  test: {
    include: ['{lib,suites,reports,scripts}/**/*.test.{ts,tsx}'],
    globalSetup: 'scripts/testing/build-package.ts',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'threads',
    // No test leaves anything behind in a module: what one file has loaded, and V8 has compiled, serves the next.
    isolate: false,
    // Many tests wait for a server or a program: on two cores three workers are a tenth faster than two.
    maxWorkers: 3,
  },
});
