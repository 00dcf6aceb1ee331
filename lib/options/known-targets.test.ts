import { expect, test } from 'vitest';
import { commandLineOptions } from './run-options.js';
import { readOptions } from './request.js';
import { knownTargets, variableOf } from './sources.js';

test('targets are found by the names of their variables', () => {
  const values = { EU_1_BASE_URL: 'http://a/v1', US_BASE_URL: ' ', US_API_KEY: 'http://b', url: 'http://c' };
  expect(knownTargets({ values })).toEqual(['eu-1']);
});

test.each([
  ['production', true],
  ['Prod-EU', true],
  ['LIVE_1', true],
  ['live', true],
  ['staging', false],
  ['delivery', false],
  ['pre-prod', false],
  ['target', false],
])('%s is a target of production by its name: %s', async (name, isProduction) => {
  const values = { [variableOf(name, 'baseUrl')]: 'http://a/v1', [variableOf(name, 'apiKey')]: 'a-key' };
  const { target } = await readOptions('test', commandLineOptions, { target: name }, { values });
  expect(target?.production !== undefined).toBe(isProduction);
});
