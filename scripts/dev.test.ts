import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';

const project = fileURLToPath(new URL('..', import.meta.url));

// What it does is tested as it is published; that `npm test` and `npm run` reach it from the sources is tested here.
test('a checkout runs a command from its source', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/dev.mjs', 'report', '--help'], {
    cwd: project,
  });
  expect(stdout).toContain('  npm run report -- verify DIR');
});

const coverage = z.object({ result: z.array(z.object({ url: z.string() })) });

test('a checkout loads few files for a command, as the package does', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-dev-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const start = async (env: NodeJS.ProcessEnv): Promise<unknown> =>
    promisify(execFile)(process.execPath, ['scripts/dev.mjs', 'load', '--help'], { cwd: project, env });
  // The first start after a change makes the files.
  await start(process.env);
  await start({ ...process.env, NODE_V8_COVERAGE: folder });
  const loaded = readdirSync(folder).flatMap((name) => {
    const { result } = coverage.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')));
    return result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
  });
  expect(loaded.length).toBeGreaterThan(1);
  expect(loaded.length).toBeLessThan(10);
});
