import { expect, test } from 'vitest';
import { knownTargets, productionOf } from './targets.js';

test('targets are found by the names of their variables', () => {
  const values = { EU_1_BASE_URL: 'http://a/v1', US_BASE_URL: ' ', US_API_KEY: 'http://b', url: 'http://c' };
  expect(knownTargets({ values })).toEqual(['eu-1']);
});

const values = {
  PROD_EU_BASE_URL: 'https://eu.petstore.example/v1',
  STAGING_BASE_URL: 'https://staging.petstore.example/v1',
};

test.each([
  ['production', ''],
  ['Prod-EU', ''],
  ['LIVE_1', 'http://127.0.0.1:9/v1'],
  ['live', ''],
  ['target', 'https://eu.petstore.example/v1'],
  ['target', 'https://EU.petstore.example:443/other/'],
  ['target', 'http://eu.petstore.example./v2'],
])('%s at %s is production', (name, baseUrl) => {
  expect(productionOf(name, baseUrl, { values })).toContain('production target');
});

test.each([
  ['staging', 'https://staging.petstore.example/v1'],
  ['delivery', 'https://petstore.example/v1'],
  ['pre-prod', 'https://eu.petstore.example:8443/v1'],
  ['target', ''],
])('%s at %s is not', (name, baseUrl) => {
  expect(productionOf(name, baseUrl, { values })).toBeUndefined();
});
