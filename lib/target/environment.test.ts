import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UsageProblem } from '../usage/usage-problem.js';
import { readEnvironment } from './environment.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-environment-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the variables of the process win over those of .env', () => {
  writeFileSync(join(folder, '.env'), '# targets\nSTAGING_PLAN=free\nSTAGING_API_KEY="with # sign"\n');
  expect(readEnvironment(folder, { STAGING_PLAN: 'pro' })).toEqual({
    values: { STAGING_PLAN: 'pro', STAGING_API_KEY: 'with # sign' },
    hasFile: true,
  });
});

test('a folder without .env is fine', () => {
  expect(readEnvironment(folder, { STAGING_PLAN: 'pro' })).toEqual({
    values: { STAGING_PLAN: 'pro' },
    hasFile: false,
  });
});

test('a .env that is no file is a usage problem', () => {
  mkdirSync(join(folder, '.env'));
  expect(() => readEnvironment(folder, {})).toThrow(UsageProblem);
  expect(() => readEnvironment(folder, {})).toThrow("can't be read (EISDIR)");
});
