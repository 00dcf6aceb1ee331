import { beforeEach, describe, expect, it } from 'vitest';
import { BudgetSpent, Interrupted, RunStopped } from '../http/client/run-end.js';
import { Exchange } from '../evidence/exchange.js';
import { requirementRow, type RequirementId } from '../specification/catalogue.js';
import { exchangeOf, type Sketch } from './testing/exchange.js';
import { Judgement, notTestedResult, wrongHeader } from './judgement.js';
import { Inconclusive, NotApplicable, NotTested } from './outcome.js';

const answerOf = (sketch: Sketch): Exchange => exchangeOf(sketch);
let judgement: Judgement;

beforeEach(() => {
  judgement = new Judgement('LIST-01');
});

describe('a check', () => {
  it('that does not hold becomes a finding with its exchanges and the line that reproduces the last', () => {
    const [first, last] = [answerOf({}), answerOf({})];
    const failure = { message: 'wrong', expected: 'a', received: 'b', pointer: '/x' };
    judgement.fail([first, last], failure);
    expect(judgement.findings).toEqual([
      {
        message: 'wrong',
        expected: 'a',
        received: 'b',
        pointer: '/x',
        exchanges: [first.id, last.id],
        reproduce: "curl -i 'http://127.0.0.1:1/v1/pets'",
        fact: { kind: 'value', field: 'x', operation: 'listPets', status: 200 },
      },
    ]);
  });
});

describe('what a finding is about', () => {
  const factOf = (fail: (subject: Judgement) => void): unknown => {
    fail(judgement);
    return judgement.findings.at(-1)?.fact;
  };

  it('is a header that is missing, repeated or wrong', () => {
    const problems = [[], ['1', '2'], ['x']].map((values) => wrongHeader('Date', values));
    expect(problems).toEqual(
      ['missing', 'repeated', 'wrong'].map((problem) => ({ kind: 'header', header: 'Date', problem })),
    );
    const fact = factOf((subject) =>
      subject.fail(answerOf({}), { message: 'm', fact: wrongHeader('Date', []) }),
    );
    expect(fact).toMatchObject({ kind: 'header', header: 'Date', operation: 'listPets' });
  });

  it('is a response as a whole if nothing more is said', () => {
    expect(factOf((subject) => subject.fail(answerOf({}), { message: 'm' }))).toMatchObject({
      kind: 'response',
    });
    expect(factOf((subject) => subject.fail([], { message: 'm' }))).toEqual({ kind: 'response' });
  });
});

describe('notes and reasons', () => {
  it('are kept once', () => {
    judgement.note('twice');
    judgement.note('twice');
    judgement.leaveOpen('twice');
    judgement.leaveOpen('twice');
    expect([...judgement.notes, ...judgement.open]).toEqual(['twice', 'twice']);
  });

  it('of observations count as a look at the target', () => {
    const response = answerOf({});
    judgement.observe('the order', 'by `id`', response);
    expect(judgement.checks).toBe(1);
    expect(judgement.observations).toEqual([
      { subject: 'the order', behaviour: 'by `id`', exchanges: [response.id] },
    ]);
  });
});

const [must, should, observed] = ['LIST-01', 'LIST-04', 'LIST-11'] as const satisfies RequirementId[];

function judgementOf(id: RequirementId, { checks = 0, found = 0, open = '' } = {}): Judgement {
  const judgement = new Judgement(id);
  judgement.held(checks);
  for (let made = 0; made < found; made += 1) judgement.fail([], { message: 'wrong' });
  if (open !== '') judgement.leaveOpen(open);
  return judgement;
}

describe('the verdict of a requirement', () => {
  it.each([
    [must, { checks: 1 }, 'pass'],
    [observed, { checks: 1 }, 'observed'],
    [must, { found: 1 }, 'fail'],
    [should, { found: 1 }, 'warn'],
    [must, { checks: 9, found: 1, open: 'the rest' }, 'fail'],
    [must, { checks: 1, open: 'the rest' }, 'inconclusive'],
  ] as const)('of %s with %o is %s', (id, judgement, verdict) => {
    expect(judgementOf(id, judgement).result().verdict).toBe(verdict);
  });

  it('is never pass if nothing triggered it', () => {
    expect(judgementOf(must).result()).toMatchObject({
      verdict: 'inconclusive',
      reason: 'nothing in this run triggered it',
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
    expect(judgementOf(must, { checks: 3 }).result(thrown)).toMatchObject({
      verdict,
      reason: thrown.message,
      selected,
    });
  });

  it('names the requirements that it is left to, but not itself', () => {
    const result = judgementOf(must).result(new Inconclusive('no control', 'CREATE-01'));
    expect(result).toMatchObject({ leftTo: ['CREATE-01'], reason: 'no control (see CREATE-01)' });
    const itself = judgementOf('CREATE-01').result(new Inconclusive('no control', 'CREATE-01'));
    expect(itself).toMatchObject({ reason: 'no control' });
    expect(itself.leftTo).toBeUndefined();
  });

  it('stays a fail if something was found before the probe ended early', () => {
    const { verdict } = judgementOf(must, { found: 1 }).result(new RunStopped('the target was lost'));
    expect(verdict).toBe('fail');
  });

  it('of a probe that erred says that the suite did, and accuses nobody', () => {
    const result = judgementOf(must, { checks: 1 }).result(new TypeError('x is undefined'));
    expect(result.verdict).toBe('inconclusive');
    expect(result.reason).toMatch(/an error of the suite.*x is undefined/s);
  });
});

describe('the findings of a requirement', () => {
  it('of the same message become one that counts them and lists their exchanges', () => {
    const judgement = judgementOf(must, { found: 30 });
    expect(judgement.result().findings).toMatchObject([{ message: 'wrong', exchanges: [], occurrences: 30 }]);
  });

  it('are the first dozen', () => {
    const judgement = new Judgement(must);
    for (let number = 0; number < 40; number += 1) judgement.fail([], { message: `wrong ${number}` });
    const { findings } = judgement.result();
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
