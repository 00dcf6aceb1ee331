import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UsageProblem } from '../explain/usage-problem.js';
import { addressesIn, productionOf, readEnvironment } from './environment.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-environment-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const own = { STAGING_PLAN: 'pro' };

test('the variables of the process win over those of .env, which may be missing', () => {
  expect(readEnvironment(folder, own)).toEqual(own);
  writeFileSync(join(folder, '.env'), '# targets\nSTAGING_PLAN=free\nSTAGING_API_KEY="with # sign"\n');
  expect(readEnvironment(folder, own)).toEqual({ ...own, STAGING_API_KEY: 'with # sign' });
});

test('a .env that is no file is a usage problem', () => {
  mkdirSync(join(folder, '.env'));
  expect(() => readEnvironment(folder, {})).toThrow(UsageProblem);
  expect(() => readEnvironment(folder, {})).toThrow("can't be read (EISDIR)");
});

test('the addresses of targets are found by the names of their variables', () => {
  const values = { EU_1_BASE_URL: 'http://a/v1', US_BASE_URL: ' ', US_API_KEY: 'http://b', url: 'http://c' };
  expect(addressesIn(values)).toEqual([['eu-1', 'http://a/v1']]);
});

const addresses = [
  ['prod-eu', 'https://eu.petstore.example/v1'],
  ['staging', 'https://staging.petstore.example/v1'],
] as const;

test.each([
  ['production', ''],
  ['Prod-EU', ''],
  ['LIVE_1', 'http://127.0.0.1:9/v1'],
  ['live', ''],
  ['target', 'https://eu.petstore.example/v1'],
  ['target', 'https://EU.petstore.example:443/other/'],
  ['target', 'http://eu.petstore.example./v2'],
])('%s at %s is production', (name, baseUrl) => {
  expect(productionOf(name, baseUrl, addresses)).toContain('production target');
});

test.each([
  ['staging', 'https://staging.petstore.example/v1'],
  ['delivery', 'https://petstore.example/v1'],
  ['pre-prod', 'https://eu.petstore.example:8443/v1'],
  ['target', ''],
])('%s at %s is not', (name, baseUrl) => {
  expect(productionOf(name, baseUrl, addresses)).toBeUndefined();
});
