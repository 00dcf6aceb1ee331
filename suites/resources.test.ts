import { describe, expect, it } from 'vitest';
import './resources.suite.js';
import { judged } from '../lib/evidence/testing/evidence-of.js';
import type { Exchange } from '../lib/evidence/exchange.js';
import { exchangeOf, type Sketch } from '../lib/verdict/testing/exchange.js';

const refused = (json: unknown, sketch: Sketch = {}): Exchange =>
  exchangeOf({
    operation: 'createPet',
    method: 'POST',
    sent: { categoryId: 1 },
    status: 400,
    json,
    ...sketch,
  });
const error = { code: 'invalid', message: 'name is missing', status: 400 };

it.each([
  ['absent', { categoryId: undefined }, 'an animal has no `categoryId`'],
  ['beyond int64', { categoryId: 2n ** 63n }, 'the `categoryId` of an animal is beyond int64'],
  [undefined, { categoryId: '1' }, /^the `categoryId` of an animal is not an integer/u],
  [undefined, { name: 7 }, /^the `name` of an animal is not a string/u],
])('PET-01 tells a field that is %s from others', (value, fields, message) => {
  const animal = { id: 7, name: 'Rex', categoryId: 1, ...fields };
  const [finding] = judged('PET-01', [exchangeOf({ json: [animal] })]).findings;
  expect(finding?.message).toMatch(message);
  expect(finding?.fact?.value).toBe(value);
});

describe('PET-02', () => {
  const listed = (name: string): Exchange =>
    exchangeOf({ json: [{ id: 7, name, categoryId: 1, status: 'gone' }] });
  it('judges nothing in a body that is not recorded to its end', () => {
    const cut = listed('Rex');
    if (cut.response) cut.response.body.truncated = true;
    expect(judged('PET-02', [cut]).verdict).toBe('inconclusive');
  });
});

describe('ERR-01', () => {
  const messageOf = (json: unknown) => judged('ERR-01', [refused(json)]).findings[0]?.message;

  it('names a field that is missing, and one of another type', () => {
    expect(messageOf(error)).toBeUndefined();
    expect(messageOf({ message: 'no', status: 400 })).toBe("createPet's 400 body has no `code`");
    expect(messageOf({ ...error, code: 7 })).toBe("the `code` of createPet's 400 body is not a string");
    expect(messageOf([])).toBe("createPet's 400 body is not an Error object");
  });
});

describe('ERR-03', () => {
  const verdictOf = (...exchanges: Exchange[]) => judged('ERR-03', exchanges).verdict;
  const absent = (path: string, code: string): Exchange =>
    exchangeOf({ operation: 'getPet', path, status: 404, json: { code, message: 'no', status: 404 } });

  it('compares the codes of one condition, whoever provoked it', () => {
    expect(verdictOf(absent('/pets/7', 'gone'), absent('/pets/8', 'gone'))).toBe('pass');
    expect(verdictOf(absent('/pets/7', 'gone'), absent('/pets/8', 'unknown'))).toBe('warn');
    expect(verdictOf(absent('/pets/7', 'gone'), absent('/pets/x', 'no-number'))).toBe('pass');
  });

  it('compares no bodies in which more than the one field is wrong', () => {
    const of = (sent: unknown, code: string): Exchange => refused({ ...error, code }, { sent });
    expect(verdictOf(of({ categoryId: 1 }, 'a'), of({ categoryId: 1, status: 'x' }, 'b'))).toBe('pass');
    expect(verdictOf(of({ categoryId: 1 }, 'a'), of({ categoryId: 2 }, 'b'))).toBe('warn');
  });

  it('warns if one code stands for two statuses', () => {
    const both = [refused(error), absent('/pets/7', 'invalid')];
    expect(verdictOf(...both)).toBe('warn');
    expect(judged('ERR-03', both).findings[0]?.reproduce).toMatch(/--data-raw.*; curl -i .*\/pets\/7'/u);
  });
});

it('ERR-05 lists the codes, and counts those of a service that numbers its errors', () => {
  const numbered = Array.from({ length: 1_000 }, (_one, time) =>
    refused({ ...error, code: `E-${String(time).padStart(4, '0')}` }),
  );
  const { observations = [] } = judged('ERR-05', numbered);
  expect(observations).toHaveLength(200);
  expect(observations[0]).toMatchObject({ behaviour: 'code "E-0000", 1 time' });
});
