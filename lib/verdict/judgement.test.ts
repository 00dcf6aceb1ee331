import { describe, expect, it } from 'vitest';
import { Budget, Interrupted, RunStopped } from '../http/client/run-end.js';
import { requirementRow, type RequirementId } from '../specification/catalogue.js';
import { failed, note, observed, open, passed, wrongHeader, type Check, type Checks } from './check.js';
import { judgeRule, notTestedResult } from './judgement.js';
import { Inconclusive, NotApplicable, NotTested } from './outcome.js';
import { exchangeOf } from './testing/exchange.js';

const [must, should, observing] = ['LIST-01', 'LIST-04', 'LIST-11'] as const satisfies RequirementId[];
const wrong = failed([], { message: 'wrong' });

function resultOf(id: RequirementId, checks: Checks, ended?: unknown): ReturnType<typeof judgeRule> {
  return judgeRule(id, () => checks, ended);
}

it('a check that does not hold is a finding with its exchanges and the line that sends them again', () => {
  const [first, last] = [exchangeOf({}), exchangeOf({})];
  const failure = { message: 'wrong', expected: 'a', received: 'b', pointer: '/x' };
  expect(failed([first, last], failure).finding).toEqual({
    message: 'wrong',
    expected: 'a',
    received: 'b',
    pointer: '/x',
    exchanges: [first.id, last.id],
    reproduce: Array(2).fill("curl -i 'http://127.0.0.1:1/v1/pets'").join('; '),
    fact: { kind: 'value', field: 'x', operation: 'listPets', status: 200 },
  });
});

describe('what a finding is about', () => {
  it('is a header that is missing, repeated or wrong', () => {
    const problems = [[], ['1', '2'], ['x']].map((values) => wrongHeader('Date', values));
    expect(problems).toEqual(
      ['missing', 'repeated', 'wrong'].map((problem) => ({ kind: 'header', header: 'Date', problem })),
    );
    const { finding } = failed(exchangeOf({}), { message: 'm', fact: wrongHeader('Date', []) });
    expect(finding?.fact).toMatchObject({ kind: 'header', header: 'Date', operation: 'listPets' });
  });

  it('is a response as a whole if nothing more is said', () => {
    expect(failed(exchangeOf({}), { message: 'm' }).finding?.fact).toMatchObject({ kind: 'response' });
    expect(failed([], { message: 'm' }).finding?.fact).toEqual({ kind: 'response' });
  });
});

describe('notes and reasons', () => {
  it('are kept once', () => {
    const twice: Check[] = [note('slow'), open('no page')];
    expect(resultOf(must, [...twice, ...twice])).toMatchObject({ notes: ['slow'], reason: 'no page' });
  });

  it('of observations count as a look at the target', () => {
    const response = exchangeOf({});
    expect(resultOf(observing, [observed('the order', 'by `id`', response)])).toMatchObject({
      checks: 1,
      observations: [{ subject: 'the order', behaviour: 'by `id`', exchanges: [response.id] }],
    });
  });
});

describe('the verdict of a requirement', () => {
  it.each<[RequirementId, Checks, string]>([
    [must, [passed], 'pass'],
    [observing, [passed], 'observed'],
    [must, [wrong], 'fail'],
    [should, [wrong], 'warn'],
    [must, [{ held: 9 }, wrong, open('the rest')], 'fail'],
    [must, [passed, open('the rest')], 'inconclusive'],
  ])('of %s with %o is %s', (id, checks, verdict) => {
    expect(resultOf(id, checks).verdict).toBe(verdict);
  });

  it('is never pass if nothing triggered it', () => {
    expect(resultOf(must, [])).toMatchObject({
      verdict: 'inconclusive',
      reason: 'nothing in this run triggered it',
    });
  });

  it.each([
    [new Inconclusive('the control was refused'), 'inconclusive', true],
    [new NotApplicable('no Sunset'), 'not-applicable', true],
    [new NotTested('read-only'), 'not-tested', false],
    [new NotTested('not reached', true), 'not-tested', true],
    [new Budget(7).error, 'not-tested', true],
    [new RunStopped('the target was lost'), 'not-tested', true],
    [new Interrupted(), 'not-tested', true],
  ] as const)('after %s is %s with its reason', (thrown, verdict, selected) => {
    expect(resultOf(must, [{ held: 3 }], thrown)).toMatchObject({
      verdict,
      reason: thrown.message,
      selected,
    });
  });

  it('names the requirements that it is left to, but not itself', () => {
    const ended = new Inconclusive('no control', 'CREATE-01');
    const result = resultOf(must, [], ended);
    expect(result).toMatchObject({ leftTo: ['CREATE-01'], reason: 'no control (see CREATE-01)' });
    const itself = resultOf('CREATE-01', [], ended);
    expect(itself).toMatchObject({ reason: 'no control' });
    expect(itself.leftTo).toBeUndefined();
  });

  it('stays a fail if something was found before the probe ended early', () => {
    expect(resultOf(must, [wrong], new RunStopped('the target was lost')).verdict).toBe('fail');
  });

  it('of a probe that erred says that the suite did, and accuses nobody', () => {
    const result = resultOf(must, [passed], new TypeError('x is undefined'));
    expect(result.verdict).toBe('inconclusive');
    expect(result.reason).toMatch(/an error of the suite.*x is undefined/s);
  });
});

describe('the findings of a requirement', () => {
  it('of the same message become one that counts them and lists their exchanges', () => {
    const { findings } = resultOf(must, Array<Check>(30).fill(wrong));
    expect(findings).toMatchObject([{ message: 'wrong', exchanges: [], occurrences: 30 }]);
  });

  it('are the first dozen', () => {
    const made = Array.from({ length: 40 }, (_one, number) => failed([], { message: `wrong ${number}` }));
    const { findings } = resultOf(must, made);
    expect(findings.length).toBe(12);
    expect(findings[0]).toMatchObject({ message: 'wrong 0', exchanges: [] });
  });
});

it('the result of a requirement that was left out has its row of the catalogue, and a reason', () => {
  expect(notTestedResult(must, 'not selected (--only)')).toMatchObject({
    id: 'LIST-01',
    level: 'MUST',
    section: '4.1',
    title: requirementRow('LIST-01').title,
    verdict: 'not-tested',
    reason: 'not selected (--only)',
    checks: 0,
    findings: [],
    selected: false,
  });
});
