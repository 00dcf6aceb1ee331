import { expect, it } from 'vitest';
import { plans } from './plan.js';

it('the plans have the figures of section 8; Enterprise has none of its own', () => {
  expect(Object.values(plans).map(({ name, perMinute, perDay }) => [name, perMinute, perDay])).toEqual([
    ['free', 60, 1_000],
    ['pro', 300, 10_000],
    ['business', 1_000, 100_000],
  ]);
});
