import { expect, it } from 'vitest';
import type { Fact } from '../evidence/record/fact.js';
import { causeMessage } from './cause-message.js';

const message = (requirements: number, ...facts: readonly (Fact | undefined)[]): string => {
  const group = facts.map((fact, index) => ({
    result: { id: `CREATE-0${(index % requirements) + 1}` },
    finding: { message: 'the first', exchanges: [], ...(fact && { fact }) },
  }));
  return causeMessage(group[0]?.finding, group);
};

const status = (operation: string, status: number, ...expected: readonly number[]): Fact => {
  return { kind: 'status', operation, status, expected: [...expected] };
};
const type = (status: number): Fact => {
  return { kind: 'header', header: 'Content-Type', problem: 'wrong', operation: 'getPet', status };
};
const error = (field: string, status: number): Fact => ({ kind: 'body', form: 'Error', field, status });

it('of one finding, or of a record without facts, is that of the finding', () => {
  expect(message(1, status('getPet', 400, 404))).toBe('the first');
  expect(message(1, undefined, undefined)).toBe('the first');
  expect(message(2, type(400), status('getPet', 400, 404))).toBe('the first');
});

it('names a status in the place of another', () => {
  expect(message(2, status('createPet', 422, 400), status('createPet', 422, 400))).toBe(
    'createPet responds 422, expected 400',
  );
  expect(message(2, status('createPet', 422, 400), status('createPet', 422, 400, 415))).toBe(
    'createPet responds 422, expected 400',
  );
  const everywhere = [
    status('listPets', 500, 200),
    status('createPet', 500, 201),
    status('getPet', 500, 404),
  ];
  expect(message(3, ...everywhere)).toBe(
    'listPets, createPet and getPet respond 500, expected 200, 201 or 404',
  );
});

it('names a header that is wrong in several responses', () => {
  expect(message(1, type(200), type(404))).toBe(
    'responses of getPet with 200 or 404 have a wrong `Content-Type`',
  );
  const everywhere = [200, 201, 400, 404].map((one, index) => ({ ...type(one), operation: `op${index}` }));
  expect(message(1, ...everywhere)).toBe('responses have a wrong `Content-Type`');
  const errors = [400, 401, 404, 405].map(type);
  expect(message(1, ...errors)).toBe('error responses of getPet have a wrong `Content-Type`');
});

it('names the field that is wrong in several Error bodies, and the responses that have them', () => {
  const both = (one: (status: number) => Fact): string => message(1, one(400), one(401));
  const responses = 'responses with 400 or 401 have';
  expect(both((status) => error('code', status))).toBe(`${responses} an Error with a wrong \`code\``);
  expect(both((status) => error('', status))).toBe(`${responses} no Error body`);
  expect(both((status) => ({ ...error('code', status), value: 'absent' }))).toBe(
    `${responses} an Error without \`code\``,
  );
  expect(message(2, error('', 401), error('', 401))).toBe('a 401 has no Error body');
});

it('names the fields that animals lack, and what is not JSON', () => {
  const body = (form: 'Pet' | 'JSON', field: string, operation: string): Fact => ({
    kind: 'body',
    form,
    field,
    operation,
    status: 200,
    ...(form === 'Pet' && { value: 'absent' }),
  });
  expect(message(1, body('Pet', 'name', 'getPet'), body('Pet', 'categoryId', 'listPets'))).toBe(
    'a 200 of getPet and listPets has an animal without `name` and `categoryId`',
  );
  expect(message(1, body('Pet', 'name', 'getPet'), body('Pet', 'id', 'getPet'))).toBe(
    'a 200 of getPet has an animal without `name` and `id`',
  );
  expect(message(1, body('Pet', 'name', 'getPet'), body('Pet', 'name', 'getPet'))).toBe('the first');
  expect(message(1, body('JSON', '', 'getPet'), body('JSON', '', 'listPets'))).toBe(
    'a 200 of getPet and listPets has a body that is not JSON in UTF-8',
  );
});

it('says what a limiter does', () => {
  const limiter: Fact = { kind: 'limiter', deviation: 'limit', says: 'admits 61 instead of 60' };
  expect(message(1, limiter)).toBe('the limiter admits 61 instead of 60');
});
