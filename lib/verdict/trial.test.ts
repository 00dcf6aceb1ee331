import { beforeEach, describe, expect, it } from 'vitest';
import { Answer } from './answer.js';
import { exchangeOf, type Sketch } from './testing/exchange.js';
import { Trial } from './trial.js';

const answerOf = (sketch: Sketch): Answer => new Answer(exchangeOf(sketch));
let trial: Trial;

beforeEach(() => {
  trial = new Trial('LIST-01');
});

describe('a check', () => {
  it('that holds is counted, and nothing else', () => {
    expect(trial.check(true, { message: 'holds' })).toBe(true);
    expect([trial.checks, trial.findings, trial.open]).toEqual([1, [], []]);
  });

  it('that does not hold becomes a finding with its exchanges and the line that reproduces the last', () => {
    const [first, last] = [answerOf({}), answerOf({})];
    expect(
      trial.check(false, { message: 'wrong', expected: 'a', received: 'b', pointer: '/x' }, first, last),
    ).toBe(false);
    expect(trial.findings).toEqual([
      {
        message: 'wrong',
        expected: 'a',
        received: 'b',
        pointer: '/x',
        exchanges: [first.id, last.id],
        reproduce: 'curl …',
      },
    ]);
  });

  it('that was made elsewhere is counted with what it found', () => {
    trial.compared(3, [{ message: 'there', exchanges: [] }]);
    expect([trial.checks, trial.findings.length]).toEqual([3, 1]);
  });
});

describe('a status', () => {
  it('that is the specified one holds', () => {
    expect(trial.status(answerOf({ status: 200 }), 200, 'a listing')).toBe(true);
    expect(trial.status(answerOf({ status: 410 }), [404, 410], 'a removed one')).toBe(true);
    expect(trial.findings).toEqual([]);
  });

  it('that is another is found', () => {
    expect(trial.status(answerOf({ status: 404 }), 200, 'a listing')).toBe(false);
    expect(trial.findings).toMatchObject([{ message: 'a listing: expected 200', expected: '200' }]);
  });

  it('of 401 to the valid key is left to AUTH-04, and to a bad key is judged', () => {
    trial.status(answerOf({ status: 401 }), 200, 'a listing');
    expect([trial.findings, trial.open.length]).toEqual([[], 1]);
    trial.status(answerOf({ status: 401, credential: 'unknown' }), 200, 'a listing');
    expect(trial.findings.length).toBe(1);
  });

  it('of a request that broke off is left to ROBUST-01', () => {
    trial.status(answerOf({ status: null, failure: 'reset' }), 200, 'a listing');
    trial.status(answerOf({ status: 503 }), 200, 'a listing');
    expect(trial.findings).toEqual([]);
    expect(trial.open.every((reason) => reason.includes('ROBUST-01'))).toBe(true);
  });
});

describe('a body', () => {
  it('of the right shape holds', () => {
    expect(trial.body('Pet', answerOf({ json: { id: 1, name: 'Rex', categoryId: 2 } }), 'an animal')).toBe(
      true,
    );
    expect([trial.checks, trial.findings]).toEqual([1, []]);
  });

  it('of another shape is found with the place of its first fault', () => {
    expect(trial.body('Error', answerOf({ json: { code: 7, message: 'No', status: 400 } }), 'a 400')).toBe(
      false,
    );
    expect(trial.findings).toMatchObject([{ message: 'a 400: the body is no Error', pointer: '/code' }]);
  });

  it('that is no JSON at all is found with what came', () => {
    trial.body('Error', answerOf({ status: 400, text: '<html>' }), 'a 400');
    expect(trial.findings).toMatchObject([{ received: '400 <html>' }]);
  });

  it('on which the two witnesses disagree is an error of the suite, and accuses nobody', () => {
    trial = new Trial('PET-01', () => ({ disagreement: 'the schemas alone find fault with "/id"' }));
    expect(trial.body('Pet', answerOf({ json: {} }), 'an animal')).toBe(false);
    expect(trial.findings).toEqual([]);
    expect(trial.open).toEqual([expect.stringContaining('an error of the suite')]);
  });

  it('that was cut off is left to ROBUST-01', () => {
    expect(trial.whole(answerOf({ failure: 'closed' }), 'a listing')).toBe(false);
    expect(trial.whole(answerOf({}), 'a listing')).toBe(true);
    expect([trial.findings, trial.open.length]).toEqual([[], 1]);
  });
});

describe('what is told', () => {
  it('is told once', () => {
    trial.note('twice');
    trial.note('twice');
    trial.unjudged('twice');
    trial.unjudged('twice');
    expect([trial.notes, trial.open]).toEqual([['twice'], ['twice']]);
  });

  it('of an observation counts as a look at the target', () => {
    const answer = answerOf({});
    trial.observe('the order', 'by `id`', answer);
    expect(trial.checks).toBe(1);
    expect(trial.observations).toEqual([
      { subject: 'the order', behaviour: 'by `id`', exchanges: [answer.id] },
    ]);
  });
});
