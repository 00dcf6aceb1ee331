import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const project = fileURLToPath(new URL('..', import.meta.url));

// What it does is tested as it is published; that `npm test` and `npm run` reach it from the sources is tested here.
test('a checkout runs a command from its source', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/dev.mjs', 'report', '--help'], {
    cwd: project,
  });
  expect(stdout).toContain('  npm run report -- verify DIR');
});
