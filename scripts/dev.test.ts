import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const project = fileURLToPath(new URL('..', import.meta.url));

// What they do is tested as it is published; that `npm test` and `npm run` reach it from the sources is tested here.
test.each([
  ['conformance', 'petstore-conformance [ADDRESS] [options]'],
  ['report', '  npm run report -- verify DIR'],
])('a checkout runs %s from its source', async (script, help) => {
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/dev.mjs', script, '--help'], {
    cwd: project,
  });
  expect(stdout).toContain(help);
});
