import { defineConfig } from 'vitest/config';

/** The project's own tests. A conformance run never reads this file: it drives Vitest with settings of its own. */
export default defineConfig({
  test: {
    include: ['{lib,suites,reports,scripts}/**/*.test.{ts,tsx}'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'threads',
  },
});
