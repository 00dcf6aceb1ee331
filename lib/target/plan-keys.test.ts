import { describe, expect, test } from 'vitest';
import { UsageProblem } from '../usage/usage-problem.js';
import { plans } from '../specification/plans.js';
import { planKeys, planList, withKeyOfPlan } from './plan-keys.js';

const values = {
  STAGING_BASE_URL: 'https://staging.example/v1',
  STAGING_FREE_API_KEY: 'one',
  STAGING_PRO_API_KEY: 'two',
  STAGING_ENTERPRISE_API_KEY: 'three',
  STAGING_ENTERPRISE_PER_MINUTE: '500',
  STAGING_ENTERPRISE_PER_DAY: '5000',
  STAGING_BUSINESS_API_KEY: 'one',
};
const environment = { values, hasFile: true };

describe('plans', () => {
  test('are listed once each, in any case', () => {
    expect(planList('free, Pro')).toEqual(['free', 'pro']);
  });

  test.each([
    ['gold', '--plans is to be one of'],
    [' , ', '--plans names no plan'],
    ['free,FREE', '--plans names a plan twice'],
  ])('%j is refused: %s', (text, message) => {
    expect(() => planList(text)).toThrow(UsageProblem);
    expect(() => planList(text)).toThrow(message);
  });
});

describe('keys of plans', () => {
  test('have the figures of their plan; Enterprise has its own', () => {
    expect(planKeys('staging', ['free', 'enterprise'], environment)).toEqual([
      { plan: plans.free, apiKey: 'one', variable: 'STAGING_FREE_API_KEY' },
      {
        plan: { name: 'enterprise', perMinute: 500, perDay: 5000 },
        apiKey: 'three',
        variable: 'STAGING_ENTERPRISE_API_KEY',
      },
    ]);
  });

  test('that are missing, or stand for two plans, are a usage problem', () => {
    expect(() => planKeys('live', ['free'], environment)).toThrow(
      'there is no key for the plan free: set LIVE_FREE_API_KEY',
    );
    expect(() => planKeys('staging', ['free', 'business'], environment)).toThrow(
      'is the key of another plan, too',
    );
    const without = { values: { ...values, STAGING_ENTERPRISE_PER_DAY: '' }, hasFile: true };
    expect(() => planKeys('staging', ['enterprise'], without)).toThrow('STAGING_ENTERPRISE_PER_DAY');
  });

  test('serve for a target that has no key of its own: that of the largest plan', () => {
    expect(withKeyOfPlan('staging', ['free', 'enterprise', 'pro'], environment).values).toMatchObject({
      STAGING_API_KEY: 'three',
      STAGING_PLAN: 'enterprise',
      STAGING_PER_MINUTE: '500',
      STAGING_PER_DAY: '5000',
    });
  });

  test('leave a target alone that has one, or is the reference service', () => {
    const own = { values: { ...values, STAGING_API_KEY: 'own' }, hasFile: true };
    expect(withKeyOfPlan('staging', ['free'], own)).toBe(own);
    expect(withKeyOfPlan('reference', ['free'], environment)).toBe(environment);
    expect(withKeyOfPlan(undefined, ['free'], environment)).toBe(environment);
  });
});
