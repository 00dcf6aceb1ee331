import { describe, expect, it } from 'vitest';
import { Exchange } from '../evidence/exchange.js';
import { exchangeOf } from './testing/exchange.js';
import { resultOf } from './testing/result-of.js';
import { passed } from './check.js';
import { answers } from './verbs.js';

type Sketch = Parameters<typeof exchangeOf>[0];
const responseOf = (sketch: Sketch): Exchange => exchangeOf(sketch);

describe('a status', () => {
  it('that is expected holds, and another is found', () => {
    expect(answers(responseOf({ status: 410 }), [404, 410], 'a removed one')).toBe(passed);
    expect(resultOf(answers(responseOf({ status: 404 }), 200, 'a listing'))).toMatchObject({
      verdict: 'fail',
      findings: [{ message: 'a listing: got 404, expected 200', expected: '200' }],
    });
  });

  it.each<[Sketch, string]>([
    [{ status: 401 }, 'AUTH-04'],
    [{ status: null, failure: 'reset' }, 'ROBUST-01'],
    [{ status: 503 }, 'ROBUST-01'],
  ])('of %o is left to %s', (sketch, id) => {
    const { verdict, leftTo } = resultOf(answers(responseOf(sketch), 200, 'a listing'));
    expect([verdict, leftTo]).toEqual(['inconclusive', [id]]);
  });

  it('of 401 to a bad key is judged', () => {
    const one = responseOf({ status: 401, credential: 'unknown' });
    expect(resultOf(answers(one, 200, 'a listing')).verdict).toBe('fail');
  });
});
