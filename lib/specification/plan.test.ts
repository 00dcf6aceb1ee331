import { expect, it } from 'vitest';
import { planNames, plans } from './plan.js';

it('the plans have the figures of section 8', () => {
  expect(Object.values(plans).map(({ name, perMinute, perDay }) => [name, perMinute, perDay])).toEqual([
    ['free', 60, 1_000],
    ['pro', 300, 10_000],
    ['business', 1_000, 100_000],
  ]);
});

it('Enterprise has none of its own', () => {
  expect(planNames).toEqual(['free', 'pro', 'business', 'enterprise']);
  expect('enterprise' in plans).toBe(false);
});
