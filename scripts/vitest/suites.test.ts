import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { faults } from '../../lib/reference/faults/faults.js';
import { referenceKeys } from '../../lib/reference/keys.js';
import { serveReference } from '../../lib/reference/serve.js';

const vitest = join(createRequire(import.meta.url).resolve('vitest/package.json'), '..', 'vitest.mjs');
const cwd = fileURLToPath(new URL('../..', import.meta.url));

const reportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(
        z.object({
          title: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()),
          location: z.object({ line: z.int() }),
        }),
      ),
    }),
  ),
});

/** What Vitest reports of the tests whose names match, each at the line that declares its requirement. */
async function reported(file: string, pattern: string, baseUrl: string) {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-suites-'));
  onTestFinished(async () => rm(folder, { recursive: true, force: true }));
  const output = join(folder, 'report.json');
  const options = ['--project=suites', file, '-t', pattern, '--reporter=json', `--outputFile=${output}`];
  const env = {
    ...process.env,
    PETSTORE_BASE_URL: baseUrl,
    PETSTORE_API_KEY: referenceKeys.business.key,
    PETSTORE_PLAN: 'business',
  };
  const code = await new Promise((resolve) => {
    execFile(process.execPath, [vitest, 'run', ...options], { cwd, env }, (error) =>
      resolve(error?.code ?? 0),
    );
  });
  const { testResults } = reportSchema.parse(JSON.parse(await readFile(output, 'utf8')));
  const [suite] = testResults;
  const lines = (await readFile(suite?.name ?? '', 'utf8')).split('\n');
  const all = suite?.assertionResults ?? [];
  const tests = all.filter(({ title }) => new RegExp(pattern).test(title));
  for (const { title, location } of tests)
    expect(lines.slice(location.line - 1, location.line + 1).join(' ')).toContain(
      `'${title.replace(/ .*/, '')}'`,
    );
  return { code, tests };
}

it('the suites open in Vitest: a test for each requirement, at its line, of the target in the environment', async () => {
  const service = await serveReference(faults.find(({ name }) => name === 'empty-401')?.options ?? {});
  onTestFinished(async () => service.close());
  const { code, tests } = await reported('suites/resources.suite.ts', 'ERR-0[15]', service.baseUrl);
  expect(tests.map(({ title, status }) => [title.slice(0, 6), status])).toEqual([
    ['ERR-01', 'failed'],
    ['ERR-05', 'passed'],
  ]);
  expect(tests[0]?.failureMessages.join()).toMatch(/expected:? +an Error object/);
  expect(code).toBe(1);
});

it('the limits are tried if nothing else is selected', async () => {
  const { code, tests } = await reported('suites/limits.suite.ts', 'LIMIT-0[12]', 'http://127.0.0.1:9/v1');
  expect(tests.map(({ status }) => status)).toEqual(['failed', 'failed']);
  expect(tests[0]?.failureMessages.join()).toContain("the target can't be reached");
  expect(code).toBe(1);
});
