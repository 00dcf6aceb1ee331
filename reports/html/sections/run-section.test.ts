import { describe, expect, test } from 'vitest';
import { faultyRecord } from '../../testing/sample-record.js';
import { clockSentence, planSentence } from './run-section.js';

describe('the facts of a run', () => {
  test.each([
    [null, 'Their difference is unknown: no Date header told it.'],
    [-350, 'They agree within a second, which is as fine as a Date header tells.'],
    [90_000, 'The target’s clock is 1\u00A0min 30\u00A0s ahead of the suite’s.'],
    [-2_000, 'The target’s clock is 2\u00A0s behind the suite’s.'],
  ])('tell how far the clocks differ: %s ms', (milliseconds, sentence) => {
    expect(clockSentence(milliseconds)).toBe(sentence);
  });

  test.each([
    [{}, 'Free: 60 requests a minute, 1,000 a day'],
    [{ plan: 'enterprise' }, 'Enterprise: quotas as agreed'],
    [
      { plan: 'enterprise', perMinute: 6_000, perDay: 90_000 },
      'Enterprise: 6,000 requests a minute, 90,000 a day',
    ],
    [{ planGiven: false }, 'Not given: requests were paced as on the Free plan'],
  ] as const)('tell the plan: %j', (more, sentence) => {
    expect(planSentence({ ...faultyRecord().target, ...more })).toBe(sentence);
  });
});
