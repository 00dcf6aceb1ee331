import { expect, test } from 'vitest';
import { isProduction } from './target.js';
import { knownTargets } from './sources.js';

test('targets are found by the names of their variables', () => {
  const values = { EU_1_BASE_URL: 'http://a/v1', US_BASE_URL: ' ', US_API_KEY: 'http://b', url: 'http://c' };
  expect(knownTargets({ values })).toEqual(['eu-1']);
});

test('a target is one of production by its name', () => {
  const names = ['production', 'Prod-EU', 'LIVE_1', 'live', 'staging', 'delivery', 'pre-prod', 'target'];
  expect(names.filter(isProduction)).toEqual(['production', 'Prod-EU', 'LIVE_1', 'live']);
});
