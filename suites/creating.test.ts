import { describe, expect, it } from 'vitest';
import './creating.suite.js';
import { judged } from '../lib/evidence/testing/evidence-of.js';
import type { Exchange } from '../lib/evidence/exchange.js';
import type { RequirementId } from '../lib/specification/catalogue.js';
import { creationOf, exchangeOf, type Sketch } from '../lib/verdict/testing/exchange.js';

const begin = Date.parse('2026-03-01T12:00:00Z');
const at = (seconds: number): Pick<Sketch, 'sentAt'> => ({
  sentAt: new Date(begin + seconds * 1_000).toISOString(),
});
const pet = (id: number, name = `pc7 control ${id}`): Record<string, unknown> => ({
  id,
  name,
  categoryId: 1,
  status: 'sold',
});
const created = (id: number, seconds = id): Exchange => creationOf(pet(id), at(seconds));

/** A creation that shows no animal. */
function creation(sent: unknown, status: number, sketch: Sketch = {}): Exchange {
  return exchangeOf({ operation: 'createPet', method: 'POST', sent, status, json: {}, ...sketch });
}

function listing(animals: readonly unknown[], seconds: number): Exchange {
  return exchangeOf({ json: animals, path: '/pets?limit=100', ...at(seconds) });
}

function verdict(id: RequirementId, ...exchanges: Exchange[]): string {
  return judged(id, exchanges).verdict;
}

describe('CREATE-01', () => {
  it('passes if plain bodies get 201, and fails if one does not', () => {
    expect(verdict('CREATE-01', created(1))).toBe('pass');
    expect(verdict('CREATE-01', created(1), creation({ ...pet(2), id: undefined }, 500))).toBe('fail');
    expect(verdict('CREATE-01', creationOf({ ...pet(1), id: undefined }))).toBe('fail');
  });

  it('fails if a field does not come back as it was sent', () => {
    const renamed = creationOf(pet(1), { json: pet(1, 'Tom') });
    expect(judged('CREATE-01', [renamed]).findings[0]).toMatchObject({ pointer: '/name', received: '"Tom"' });
  });

  it('leaves open a category that the target never accepted', () => {
    const refused = creation({ name: 'Rex', categoryId: 7, status: 'sold' }, 400);
    expect(verdict('CREATE-01', refused)).toBe('inconclusive');
    expect(verdict('CREATE-01', refused, created(1))).toBe('pass');
    expect(judged('CREATE-01', [refused], { categoryId: 7n }).verdict).toBe('fail');
  });

  it('fails if equal bodies, one after the other, create one animal', () => {
    const sent = { name: 'Rex', categoryId: 1, status: 'sold' };
    const [first, second] = [creationOf(pet(1, 'Rex'), at(1)), creationOf(pet(1, 'Rex'), at(2))];
    expect(judged('CREATE-01', [first, second]).findings[0]?.message).toMatch(/equal bodies/u);
    expect(verdict('CREATE-01', first, creationOf({ ...sent, id: 2 }, at(2)))).toBe('pass');
    const messageOf = (body: object) =>
      judged('CREATE-01', [first, creation(body, 409, at(3))]).findings[0]?.message;
    expect(messageOf(sent)).toBe('a valid body that is equal to another one: got 409, expected 201');
    expect(messageOf({ ...sent, name: 'Tom' })).toBe('a valid body: got 409, expected 201');
  });
});

describe.each<[RequirementId, faulty: unknown]>([
  ['CREATE-05', { categoryId: 1, status: 'sold' }],
  ['CREATE-06', { name: 'Rex', status: 'sold' }],
  ['CREATE-07', { name: null, categoryId: 1, status: 'sold' }],
  ['CREATE-08', { name: 'Rex', categoryId: '1', status: 'sold' }],
  ['CREATE-09', { name: 'Rex', categoryId: 1, status: 'Sold' }],
  ['CREATE-10', '{"name":"Rex"'],
])('%s', (id, faulty) => {
  it('passes if the body gets 400, and fails otherwise', () => {
    expect(verdict(id, created(1), creation(faulty, 400))).toBe('pass');
    expect(verdict(id, created(1), creation(faulty, 201))).toBe('fail');
    expect(verdict(id, created(1), creation(faulty, 422))).toBe('fail');
  });

  it('is inconclusive without a body like it that was accepted', () => {
    expect(verdict(id, creation(faulty, 400))).toBe('inconclusive');
    expect(verdict(id, created(1))).toBe('inconclusive');
  });

  it('leaves the key, the limit and the network to others', () => {
    expect(judged(id, [created(1), creation(faulty, 401)]).leftTo).toEqual(['AUTH-04']);
    expect(judged(id, [created(1), creation(faulty, 502)]).leftTo).toEqual(['ROBUST-01']);
    expect(verdict(id, created(1), creation(faulty, 429), creation(faulty, 400))).toBe('pass');
  });

  it('judges no body with a second fault, and none that is sent without the key', () => {
    const other = creation({ colour: 'brown' }, 201);
    const guest = creation(faulty, 401, { credential: 'missing' });
    expect(verdict(id, created(1), other, guest)).toBe('inconclusive');
  });
});

describe('CREATE-03', () => {
  const given = ['available', 'pending', 'sold'].map((status, index) =>
    creationOf({ ...pet(index + 1), status }, at(index)),
  );

  it('passes if each status is accepted and shown, and is inconclusive if one was not sent', () => {
    expect(verdict('CREATE-03', ...given)).toBe('pass');
    expect(verdict('CREATE-03', ...given.slice(1))).toBe('inconclusive');
  });

  it('fails if a status is refused, or shown otherwise in a listing', () => {
    expect(
      verdict(
        'CREATE-03',
        ...given.slice(1),
        creation({ ...pet(4), id: undefined, status: 'available' }, 400),
      ),
    ).toBe('fail');
    expect(verdict('CREATE-03', ...given, listing([{ ...pet(1), status: 'sold' }], 9))).toBe('fail');
  });
});

it('CREATE-04 fails if two creations return one identifier, or one that a listing had shown', () => {
  expect(verdict('CREATE-04', created(1), created(2))).toBe('pass');
  expect(verdict('CREATE-04', created(1), creationOf(pet(1, 'Tom'), at(2)))).toBe('fail');
  expect(verdict('CREATE-04', listing([pet(1, 'Tom')], 0), created(1), created(2))).toBe('fail');
});

describe('CREATE-11', () => {
  const refused = creation({ name: 'pc7 CREATE-08 1', categoryId: '1', status: 'sold' }, 400, at(1));

  it('passes if a listing shows what was created later, and nothing of what was refused', () => {
    expect(verdict('CREATE-11', refused, created(2), listing([pet(2)], 3))).toBe('pass');
    expect(verdict('CREATE-11', refused, created(2))).toBe('inconclusive');
  });

  it('fails if a listing shows the name of a refused creation after it was sent', () => {
    const left = listing([pet(2), pet(3, 'pc7 CREATE-08 1')], 4);
    expect(verdict('CREATE-11', refused, created(2), left)).toBe('fail');
  });
});
