import { beforeEach, describe, expect, it } from 'vitest';
import { ApiResponse } from './api-response.js';
import { exchangeOf, type Sketch } from './testing/exchange.js';
import { Judgement } from './judgement.js';

const answerOf = (sketch: Sketch): ApiResponse => new ApiResponse(exchangeOf(sketch));
let judgement: Judgement;

beforeEach(() => {
  judgement = new Judgement('LIST-01');
});

describe('a check', () => {
  it('that holds is counted, and nothing else', () => {
    expect(judgement.check(true, { message: 'holds' })).toBe(true);
    expect([judgement.checks, judgement.findings, judgement.open]).toEqual([1, [], []]);
  });

  it('that does not hold becomes a finding with its exchanges and the line that reproduces the last', () => {
    const [first, last] = [answerOf({}), answerOf({})];
    expect(
      judgement.check(false, { message: 'wrong', expected: 'a', received: 'b', pointer: '/x' }, first, last),
    ).toBe(false);
    expect(judgement.findings).toEqual([
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
    judgement.compared(3, [{ message: 'there', exchanges: [] }]);
    expect([judgement.checks, judgement.findings.length]).toEqual([3, 1]);
  });
});

describe('a status', () => {
  it('that is the specified one holds', () => {
    expect(judgement.status(answerOf({ status: 200 }), 200, 'a listing')).toBe(true);
    expect(judgement.status(answerOf({ status: 410 }), [404, 410], 'a removed one')).toBe(true);
    expect(judgement.findings).toEqual([]);
  });

  it('that is another is found', () => {
    expect(judgement.status(answerOf({ status: 404 }), 200, 'a listing')).toBe(false);
    expect(judgement.findings).toMatchObject([{ message: 'a listing: expected 200', expected: '200' }]);
  });

  it('of 401 to the valid key is left to AUTH-04, and to a bad key is judged', () => {
    judgement.status(answerOf({ status: 401 }), 200, 'a listing');
    expect([judgement.findings, judgement.open.length]).toEqual([[], 1]);
    judgement.status(answerOf({ status: 401, credential: 'unknown' }), 200, 'a listing');
    expect(judgement.findings.length).toBe(1);
  });

  it('of a request that broke off is left to ROBUST-01', () => {
    judgement.status(answerOf({ status: null, failure: 'reset' }), 200, 'a listing');
    judgement.status(answerOf({ status: 503 }), 200, 'a listing');
    expect(judgement.findings).toEqual([]);
    expect(judgement.open.every((reason) => reason.includes('ROBUST-01'))).toBe(true);
  });
});

describe('a body', () => {
  it('of the right shape holds', () => {
    expect(
      judgement.body('Pet', answerOf({ json: { id: 1, name: 'Rex', categoryId: 2 } }), 'an animal'),
    ).toBe(true);
    expect([judgement.checks, judgement.findings]).toEqual([1, []]);
  });

  it('of another shape is found with the place of its first fault', () => {
    expect(
      judgement.body('Error', answerOf({ json: { code: 7, message: 'No', status: 400 } }), 'a 400'),
    ).toBe(false);
    expect(judgement.findings).toMatchObject([{ message: 'a 400: the body is no Error', pointer: '/code' }]);
  });

  it('that is no JSON at all is found with what came', () => {
    judgement.body('Error', answerOf({ status: 400, text: '<html>' }), 'a 400');
    expect(judgement.findings).toMatchObject([{ received: '400 <html>' }]);
  });

  it('that was cut off is left to ROBUST-01', () => {
    expect(judgement.whole(answerOf({ failure: 'closed' }), 'a listing')).toBe(false);
    expect(judgement.whole(answerOf({}), 'a listing')).toBe(true);
    expect([judgement.findings, judgement.open.length]).toEqual([[], 1]);
  });
});

describe('what is told', () => {
  it('is told once', () => {
    judgement.note('twice');
    judgement.note('twice');
    judgement.leaveOpen('twice');
    judgement.leaveOpen('twice');
    expect([judgement.notes, judgement.open]).toEqual([['twice'], ['twice']]);
  });

  it('of an observation counts as a look at the target', () => {
    const response = answerOf({});
    judgement.observe('the order', 'by `id`', response);
    expect(judgement.checks).toBe(1);
    expect(judgement.observations).toEqual([
      { subject: 'the order', behaviour: 'by `id`', exchanges: [response.id] },
    ]);
  });
});
