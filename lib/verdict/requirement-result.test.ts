import { describe, expect, it } from 'vitest';
import { BudgetSpent, Interrupted, RunStopped } from '../http/client/run-end.js';
import { requirementRow, type RequirementId } from '../specification/catalogue.js';
import { Inconclusive, NotApplicable, NotTested } from './outcome.js';
import { notTestedResult, resultOf } from './requirement-result.js';
import { Judgement } from './judgement.js';

const [must, should, observed] = ['LIST-01', 'LIST-04', 'LIST-11'] as const satisfies RequirementId[];

function judgementOf(id: RequirementId, { checks = 0, found = 0, open = '' } = {}): Judgement {
  const judgement = new Judgement(id);
  for (let made = 0; made < checks; made += 1) judgement.check(true, { message: 'holds' });
  for (let made = 0; made < found; made += 1) judgement.check(false, { message: 'wrong' });
  if (open !== '') judgement.leaveOpen(open);
  return judgement;
}

describe('the verdict of a row', () => {
  it.each([
    [must, { checks: 1 }, 'pass'],
    [should, { checks: 1 }, 'pass'],
    [observed, { checks: 1 }, 'observed'],
    [must, { found: 1 }, 'fail'],
    [should, { found: 1 }, 'warn'],
    [must, { checks: 9, found: 1, open: 'the rest' }, 'fail'],
    [must, { checks: 1, open: 'the rest' }, 'inconclusive'],
    [should, { checks: 1, open: 'the rest' }, 'inconclusive'],
  ] as const)('of %s with %o is %s', (id, judgement, verdict) => {
    expect(resultOf(judgementOf(id, judgement)).verdict).toBe(verdict);
  });

  it('is never pass where no exchange exercised it', () => {
    expect(resultOf(judgementOf(must))).toMatchObject({
      verdict: 'inconclusive',
      reason: 'no exchange of this run exercised it',
    });
  });

  it.each([
    [new Inconclusive('the control was refused'), 'inconclusive', true],
    [new NotApplicable('no Sunset'), 'not-applicable', true],
    [new NotTested('read-only'), 'not-tested', false],
    [new NotTested('not reached', true), 'not-tested', true],
    [new BudgetSpent(7), 'not-tested', true],
    [new RunStopped('the target was lost'), 'not-tested', true],
    [new Interrupted(), 'not-tested', true],
  ] as const)('after %s is %s with its reason', (thrown, verdict, selected) => {
    expect(resultOf(judgementOf(must, { checks: 3 }), thrown)).toMatchObject({
      verdict,
      reason: thrown.message,
      selected,
    });
  });

  it('stays a fail where something was found before the probe ended early', () => {
    expect(resultOf(judgementOf(must, { found: 1 }), new RunStopped('the target was lost')).verdict).toBe(
      'fail',
    );
  });

  it('of a probe that erred says that the suite did, and accuses nobody', () => {
    const result = resultOf(judgementOf(must, { checks: 1 }), new TypeError('x is undefined'));
    expect(result.verdict).toBe('inconclusive');
    expect(result.reason).toContain('an error of the suite');
    expect(result.reason).toContain('x is undefined');
  });
});

describe('the findings of a row', () => {
  it('of the same message become one that counts them and lists their exchanges', () => {
    const judgement = judgementOf(must, { found: 30 });
    expect(resultOf(judgement).findings).toEqual([{ message: 'wrong', exchanges: [], occurrences: 30 }]);
  });

  it('are the first dozen', () => {
    const judgement = new Judgement(must);
    for (let number = 0; number < 40; number += 1) judgement.check(false, { message: `wrong ${number}` });
    const { findings } = resultOf(judgement);
    expect(findings.length).toBe(12);
    expect(findings[0]).toEqual({ message: 'wrong 0', exchanges: [] });
  });
});

describe('a row', () => {
  it('takes level, section and title from the catalogue', () => {
    expect(resultOf(judgementOf(must, { checks: 1 }))).toMatchObject({
      id: 'LIST-01',
      level: 'MUST',
      section: '4.1',
      title: requirementRow('LIST-01').title,
    });
  });

  it('that was left out has no checks and a reason', () => {
    expect(notTestedResult(must, 'not selected (--only)')).toMatchObject({
      verdict: 'not-tested',
      reason: 'not selected (--only)',
      checks: 0,
      findings: [],
      selected: false,
    });
  });
});
