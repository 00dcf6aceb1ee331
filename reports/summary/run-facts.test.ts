import { expect, test } from 'vitest';
import { faultyRecord } from '../testing/sample-record.js';
import { clockText, planText, retriesText } from './run-facts.js';

test.each([
  [null, 'unknown: no response had a Date header'],
  [-350, 'agree to within a second (the resolution of the Date header)'],
  [90_000, 'the target is 1 min 30 s ahead'],
  [-2_000, 'the target is 2 s behind'],
])('a clock difference of %s ms', (milliseconds, sentence) => {
  expect(clockText(milliseconds)).toBe(sentence);
});

test.each([
  [{}, 'free: 60 requests a minute, 1,000 a day'],
  [{ plan: 'enterprise' }, 'enterprise: limits as agreed'],
  [
    { plan: 'enterprise', perMinute: 6_000, perDay: 90_000 },
    'enterprise: 6,000 requests a minute, 90,000 a day',
  ],
  [{ planGiven: false }, 'not given; requests were paced as on the Free plan'],
] as const)('the plan of %j', (more, text) => {
  expect(planText({ ...faultyRecord().target, ...more })).toBe(text);
});

test('retries are counted, and not mentioned if there were none', () => {
  const { requests } = faultyRecord();
  const repeated = [{ exchange: 'e2', reason: 'closed' }];
  expect(retriesText({ ...faultyRecord(), requests: { ...requests, repeated } })).toBe('1 request: closed');
  expect(retriesText(faultyRecord())).toBeUndefined();
});
