import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UsageProblem } from '../explain/usage-problem.js';
import { readSources } from './sources.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-environment-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const own = { STAGING_PLAN: 'pro' };

test('the variables of the process win over those of .env, which may be missing', async () => {
  expect((await readSources(folder, own)).values).toEqual(own);
  writeFileSync(join(folder, '.env'), '# targets\nSTAGING_PLAN=free\nSTAGING_API_KEY="with # sign"\n');
  expect((await readSources(folder, own)).values).toEqual({ ...own, STAGING_API_KEY: 'with # sign' });
});

test('a .env that is no file is a usage problem', async () => {
  mkdirSync(join(folder, '.env'));
  await expect(readSources(folder, {})).rejects.toThrow(UsageProblem);
  await expect(readSources(folder, {})).rejects.toThrow("can't be read (EISDIR)");
});
