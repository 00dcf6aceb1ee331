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

it('the suites open in Vitest: a test for each requirement, at its line, of the target in the environment', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-suites-'));
  onTestFinished(async () => rm(folder, { recursive: true, force: true }));
  const service = await serveReference(faults.find(({ name }) => name === 'empty-401')?.options ?? {});
  onTestFinished(async () => service.close());
  const output = join(folder, 'report.json');
  const options = ['--project=suites', 'suites/resources.suite.ts', '-t', 'ERR-0[15]'];
  const env = {
    ...process.env,
    PETSTORE_BASE_URL: service.baseUrl,
    PETSTORE_API_KEY: referenceKeys.business.key,
    PETSTORE_PLAN: 'business',
  };
  const code = await new Promise((resolve) => {
    execFile(
      process.execPath,
      [vitest, 'run', ...options, '--reporter=json', `--outputFile=${output}`],
      { cwd, env },
      (error) => resolve(error?.code ?? 0),
    );
  });
  const { testResults } = reportSchema.parse(JSON.parse(await readFile(output, 'utf8')));
  const [suite] = testResults;
  const text = await readFile(suite?.name ?? '', 'utf8');
  const tests = (suite?.assertionResults ?? []).filter(({ title }) => /ERR-0[15]/.test(title));
  expect(tests.map(({ title, status }) => [title.slice(0, 6), status])).toEqual([
    ['ERR-01', 'failed'],
    ['ERR-05', 'passed'],
  ]);
  expect(tests[0]?.failureMessages.join()).toMatch(/expected:? +an Error object/);
  for (const { title, location } of tests)
    expect(text.split('\n')[location.line - 1]).toContain(`('${title.slice(0, 6)}'`);
  expect(code).toBe(1);
});
