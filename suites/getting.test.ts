import { describe, expect, it } from 'vitest';
import './getting.suite.js';
import { judged } from '../lib/evidence/testing/evidence-of.js';
import type { Exchange } from '../lib/evidence/exchange.js';
import type { RequirementId } from '../lib/specification/catalogue.js';
import { creationOf, exchangeOf, type Sketch } from '../lib/verdict/testing/exchange.js';

const at = (seconds: number): Pick<Sketch, 'sentAt'> => ({
  sentAt: new Date(Date.parse('2026-03-01T12:00:00Z') + seconds * 1_000).toISOString(),
});
const pet = { id: 1, name: 'Rex', categoryId: 1, status: 'sold' };
const created = creationOf(pet, at(0));
const listing = exchangeOf({ json: [pet], ...at(1) });

/** `getPet`, by default with 404 and an Error. */
function get(petId: string, status = 404, sketch: Sketch = {}): Exchange {
  const json = status === 200 ? pet : { code: 'not_found', message: 'There is none', status };
  return exchangeOf({ operation: 'getPet', path: `/pets/${petId}`, status, json, ...at(9), ...sketch });
}
const found = get('1', 200);

function verdict(id: RequirementId, ...exchanges: Exchange[]): string {
  return judged(id, exchanges).verdict;
}

describe('GET-01', () => {
  it('fails if an animal that was created is not found, or shown otherwise', () => {
    expect(verdict('GET-01', created, found)).toBe('pass');
    expect(verdict('GET-01', created, get('1'))).toBe('fail');
    expect(verdict('GET-01', created, get('1', 200, { json: { ...pet, name: 'Tom' } }))).toBe('fail');
    const { findings } = judged('GET-01', [created, get('1', 200, { json: { ...pet, id: 2, name: 'Tom' } })]);
    expect(findings.map(({ message }) => message)).toEqual([
      'getPet shows another `id` than the creation returned',
    ]);
  });

  it('fails if the response has no body, and leaves one that is not JSON to another requirement', () => {
    expect(verdict('GET-01', created, get('1', 200, { text: '' }))).toBe('fail');
    expect(judged('GET-01', [created, get('1', 200, { text: '<pet/>' })]).leftTo).toEqual(['MEDIA-01']);
  });

  it('waits for the consistency time, unless getPet has shown the animal', () => {
    expect(verdict('GET-01', created, get('1', 404, at(1)), found)).toBe('pass');
    expect(verdict('GET-01', created, get('1', 200, at(1)), get('1', 404, at(1.5)))).toBe('fail');
  });

  it('is not judged of an identifier that two creations returned, or that is beyond int64', () => {
    expect(verdict('GET-01', created, creationOf({ ...pet, name: 'Tom' }), get('1'))).toBe('inconclusive');
    const long = creationOf(pet, { text: '{"id":9223372036854775808}', ...at(0) });
    expect(verdict('GET-01', long, get('9223372036854775808'))).toBe('inconclusive');
  });

  it('compares with a listing if nothing was created', () => {
    expect(verdict('GET-01', listing, found)).toBe('pass');
    expect(verdict('GET-01', listing, get('1'), exchangeOf({ json: [pet], ...at(12) }))).toBe('fail');
    expect(
      judged('GET-01', [listing, get('1', 200, { json: { ...pet, name: 'Tom' } })]).findings[0]?.message,
    ).toBe('getPet shows another `name` than the listing showed');
    // Another client has removed it.
    expect(verdict('GET-01', listing, exchangeOf({ json: [], ...at(2) }), get('1'))).toBe('inconclusive');
  });
});

describe('GET-02', () => {
  it('fails if an identifier that no animal has gets another response than 404', () => {
    expect(verdict('GET-02', created, found, get('7'))).toBe('pass');
    expect(verdict('GET-02', created, found, get('7', 400))).toBe('fail');
    expect(verdict('GET-02', created, found, get('4294967297', 200))).toBe('fail');
  });

  it("passes over somebody else's animal, unless every identifier finds one", () => {
    const other = (id: number): Exchange => get(String(id), 200, { json: { ...pet, id } });
    expect(verdict('GET-02', created, found, get('7'), other(8))).toBe('pass');
    expect(verdict('GET-02', created, found, other(7), other(8))).toBe('fail');
  });

  it('is inconclusive if getPet serves no animal', () => {
    expect(judged('GET-02', [created, get('1'), get('7')]).leftTo).toEqual(['GET-04']);
  });
});

it('GET-03 fails if a `petId` that is no integer is not refused with an Error', () => {
  expect(verdict('GET-03', found, get('abc'), get('1.5', 400))).toBe('pass');
  expect(verdict('GET-03', found, get('1abc', 200))).toBe('fail');
  expect(verdict('GET-03', found, get('abc', 500))).toBe('fail');
  expect(verdict('GET-03', found, get('abc', 400, { json: {} }))).toBe('fail');
  expect(verdict('GET-03', found, get('01', 200))).toBe('inconclusive');
  expect(judged('GET-03', [get('abc')]).leftTo).toEqual(['GET-04']);
});

describe('GET-04', () => {
  it('fails if getPet serves no animal that a listing shows', () => {
    expect(verdict('GET-04', created, found)).toBe('pass');
    expect(verdict('GET-04', created, listing, get('1'))).toBe('fail');
    expect(verdict('GET-04', created, listing, get('1', 410))).toBe('fail');
  });

  it('is inconclusive if no listing shows the animal, or its identifier is beyond int64', () => {
    expect(judged('GET-04', [created, get('1')]).leftTo).toEqual(['LIST-08']);
    const long = exchangeOf({ text: '[{"id":9223372036854775808}]', ...at(1) });
    expect(verdict('GET-04', long, get('9223372036854775808'))).toBe('inconclusive');
    expect(judged('GET-04', [created, listing, get('1', 500)]).leftTo).toEqual(['ROBUST-01']);
  });

  it('is not applicable after the day of removal, and GET-05 before it', () => {
    const after = { removalDatePassed: true };
    expect(judged('GET-04', [created, found], after).verdict).toBe('not-applicable');
    expect(verdict('GET-05', created, found)).toBe('not-applicable');
    expect(judged('GET-05', [created, get('1', 410)], after).verdict).toBe('pass');
    expect(judged('GET-05', [created, found], after).verdict).toBe('warn');
  });
});

it('GET-06 observes other spellings of an identifier', () => {
  const { observations = [] } = judged('GET-06', [created, get('01', 200), get('1.0', 400), get('+7')]);
  expect(observations.map(({ subject, behaviour }) => `${subject}: ${behaviour}`)).toEqual([
    '`petId` 01 for 1: finds the animal',
    '`petId` 1.0 for 1: refused with 400',
  ]);
});
