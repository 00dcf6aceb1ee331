import { expect, it } from 'vitest';
import './rate.suite.js';
import { judged } from '../lib/evidence/testing/evidence-of.js';
import type { Exchange } from '../lib/evidence/exchange.js';
import { exchangeOf } from '../lib/verdict/testing/exchange.js';

it('RATE-04 compares the limit with that of the plan, and leaves one that is none to RATE-01', () => {
  const saying = (...values: string[]): Exchange =>
    exchangeOf({ json: [], headers: values.map((value) => ['X-RateLimit-Limit', value]) });
  expect(judged('RATE-04', [saying('60')]).verdict).toBe('pass');
  expect(judged('RATE-04', [saying('60'), saying('61')]).verdict).toBe('fail');
  for (const response of [saying('60/min'), saying(), saying('60', '60')])
    expect(judged('RATE-04', [response])).toMatchObject({ verdict: 'inconclusive', leftTo: ['RATE-01'] });
});
