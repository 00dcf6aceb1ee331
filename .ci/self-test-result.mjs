/**
 * Reads what Vitest's JSON reporter wrote: `node .ci/self-test-result.mjs REPORT EXIT-CODE`. Prints the numbers of passed and
 * of failed tests, then each failed test, a line each. A run that ended badly without a failed test, or that left no report,
 * counts as one failure.
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const [report, exitCode] = process.argv.slice(2);
try {
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const failed = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(process.cwd(), name);
    const tests = assertionResults.filter((test) => test.status === 'failed');
    if (status === 'failed' && tests.length === 0) return [`${file}: ${message.split('\n')[0]}`];
    return tests.map(
      ({ fullName, failureMessages: [why = ''] }) => `${file}: ${fullName}: ${why.split('\n')[0]}`,
    );
  });
  const isBad = exitCode !== '0' || numPassedTests === 0;
  console.log(numPassedTests, isBad ? Math.max(1, numFailedTests) : numFailedTests);
  console.log(failed.join('\n'));
} catch (error) {
  console.log(0, 1);
  console.log(`the self-test left no report that can be read: ${error.message}`);
}
