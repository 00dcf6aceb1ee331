import { expect, it } from 'vitest';
import { exchangeOf } from './testing/exchange.js';
import { resultOf } from './testing/result-of.js';
import { hasErrorBody } from './verbs.js';

function messageFor(json: unknown): string | undefined {
  return resultOf(...hasErrorBody(exchangeOf({ status: 401, json }))).findings[0]?.message;
}

it.each([
  [{ code: 'a', message: 'b', status: 401 }, undefined],
  [{ message: 'b', status: 401 }, "listPets's 401 body has no `code`"],
  [{ code: 7, message: 'b', status: 401 }, "the `code` of listPets's 401 body is not a string"],
  [{ detail: 'Not authenticated' }, "listPets's 401 body is not an Error object"],
  [{}, "listPets's 401 body is not an Error object"],
  [[], "listPets's 401 body is not an Error object"],
])('tells of %j what is wrong, and no more', (json, message) => {
  expect(messageFor(json)).toBe(message);
});

it('names the place of a wrong member, and shows what came in the place of an object', () => {
  const failedBy = (sketch: Parameters<typeof exchangeOf>[0]): unknown =>
    resultOf(...hasErrorBody(exchangeOf({ status: 400, ...sketch }))).findings[0];
  expect(failedBy({ json: { code: 7, message: 'No', status: 400 } })).toMatchObject({
    pointer: '/code',
    fact: { kind: 'body', form: 'Error', field: 'code' },
  });
  expect(failedBy({ text: '<html>' })).toMatchObject({ received: '400 <html>' });
});
