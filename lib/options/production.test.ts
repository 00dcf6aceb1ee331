import { expect, test } from 'vitest';
import { productionOf } from './production.js';

const addresses = [
  ['prod-eu', 'https://eu.petstore.example/v1'],
  ['staging', 'https://staging.petstore.example/v1'],
] as const;

test.each([
  ['production', undefined],
  ['Prod-EU', undefined],
  ['LIVE_1', 'http://127.0.0.1:9/v1'],
  ['live', undefined],
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
  ['target', undefined],
])('%s at %s is not', (name, baseUrl) => {
  expect(productionOf(name, baseUrl, addresses)).toBeUndefined();
});
