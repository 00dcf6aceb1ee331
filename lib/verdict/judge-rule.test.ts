import { expect, it } from 'vitest';
import { failed, left, note, observed, open, passed, type Checks } from './check.js';
import { judgeRule } from './judgement.js';
import { Inconclusive, NotTested } from './outcome.js';
import { exchangeOf } from './testing/exchange.js';

const response = exchangeOf();
const wrong = failed(response, { message: 'it is wrong' });

function judged(checks: Checks, ended?: unknown): ReturnType<typeof judgeRule> {
  return judgeRule('LIST-02', () => checks, ended);
}

it('a rule without a check found nothing to judge', () => {
  expect(judged([])).toMatchObject({ verdict: 'inconclusive', checks: 0 });
  expect(judged([passed])).toMatchObject({ verdict: 'pass', checks: 1 });
});

it('a failed check is the verdict, whatever else is open', () => {
  expect(judged([passed, open('no page'), wrong])).toMatchObject({ verdict: 'fail', checks: 2 });
  expect(judged([wrong], new Inconclusive('the budget is spent')).verdict).toBe('fail');
});

it('what is open or left to another requirement is the reason', () => {
  expect(judged([passed, open('no page', 'LIST-01')])).toMatchObject({
    verdict: 'inconclusive',
    reason: 'no page (see LIST-01)',
    leftTo: ['LIST-01'],
  });
  expect(judged([left('LIST-01', '`limit=1`')])).toMatchObject({
    reason: '`limit=1` depends on another requirement (see LIST-01)',
    leftTo: ['LIST-01'],
  });
});

it('notes and observations are kept', () => {
  const checks: Checks = [note('slow'), observed('limit=0', 'refused', response), { held: 2 }];
  expect(judged(checks)).toMatchObject({
    notes: ['slow'],
    observations: [{ subject: 'limit=0' }],
    checks: 3,
  });
});

it('what ended a probe stands in the result, and is read from it again', () => {
  const ended = new NotTested('the budget is spent', true);
  const result = judged([passed], ended);
  expect(result).toMatchObject({ verdict: 'not-tested', ended: { reason: 'the budget is spent' } });
  expect(judged([passed], result.ended)).toEqual(result);
});
