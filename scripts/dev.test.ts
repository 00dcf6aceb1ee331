import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const project = fileURLToPath(new URL('..', import.meta.url));

// What it does is tested as it is published; that `npm test` and `npm run` reach it from the sources is tested here.
const help = async (): Promise<string> => {
  const command = ['scripts/dev.mjs', 'report', '--help'];
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: project });
  return stdout;
};

test('a checkout runs a command from its source', async () => {
  expect(await help()).toContain('  npm run report -- verify DIR');
});

test('a run that is kept in the checkout does not make the program anew', async () => {
  const bundles = (): string[] => readdirSync(join(project, 'node_modules', '.cache'));
  await help();
  const before = bundles();
  const run = join(project, 'reports', 'runs', `of-a-test-${process.pid}`);
  mkdirSync(run, { recursive: true });
  try {
    writeFileSync(join(run, 'report.json'), '{}');
    await help();
    expect(bundles()).toEqual(before);
  } finally {
    rmSync(run, { recursive: true });
  }
});
