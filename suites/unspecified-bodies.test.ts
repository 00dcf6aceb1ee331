import { describe, expect, it } from 'vitest';
import './unspecified-bodies.suite.js';
import { judged } from '../lib/evidence/testing/evidence-of.js';
import type { Exchange } from '../lib/evidence/exchange.js';
import { creationOf, exchangeOf, type Sketch } from '../lib/verdict/testing/exchange.js';

const begin = Date.parse('2026-03-01T12:00:00Z');
const at = (seconds: number): Pick<Sketch, 'sentAt'> => ({
  sentAt: new Date(begin + seconds * 1_000).toISOString(),
});
const pet = { id: 7, name: 'Rex', categoryId: 1, status: 'sold' };
const victim = creationOf(pet, at(1));
const sent = { ...pet, name: 'Cuckoo', status: 'pending' };
const got = (seconds: number, shown: object | null): Exchange =>
  exchangeOf({
    operation: 'getPet',
    path: '/pets/7',
    ...at(seconds),
    ...(shown ? { json: { ...pet, ...shown } } : { status: 404, json: {} }),
  });

describe('CREATE-14', () => {
  const of = (...exchanges: Exchange[]): string => judged('CREATE-14', [victim, ...exchanges]).verdict;
  const bringing = (id: number): Exchange => creationOf({ ...sent, id }, { sent, ...at(3) });
  const refused = creationOf(pet, { sent, status: 422, json: {}, ...at(3) });

  it('passes if the body is refused, or another identifier assigned, and the animal is as before', () => {
    expect(of(got(2, {}), refused, got(4, {}))).toBe('pass');
    expect(of(got(2, {}), bringing(8), got(4, {}))).toBe('pass');
  });

  it('fails if the target takes the identifier', () => {
    expect(of(bringing(7))).toBe('fail');
    const id = 2n ** 62n;
    expect(of(creationOf(pet, { sent: { ...sent, id }, json: { ...sent, id }, ...at(3) }))).toBe('fail');
  });

  it('fails if the animal is changed or removed', () => {
    expect(of(got(2, {}), bringing(8), got(4, { name: 'Cuckoo' }))).toBe('fail');
    expect(of(bringing(8), got(4, { status: 'pending' }))).toBe('fail');
    const unchanged = [5, 6].map((seconds) =>
      exchangeOf({ operation: 'getPet', path: '/pets/9', json: { ...pet, id: 9 }, ...at(seconds) }),
    );
    const other = creationOf({ ...pet, id: 9 }, at(1));
    expect(of(other, got(2, {}), refused, got(4, null), ...unchanged)).toBe('fail');
  });

  it('leaves it to GET-01 if getPet shows no animal the same way twice', () => {
    const other = { ...pet, id: 9 };
    const gotOther = (seconds: number, name: string): Exchange =>
      exchangeOf({ operation: 'getPet', path: '/pets/9', json: { ...other, name }, ...at(seconds) });
    const changed = [creationOf(other, at(1)), got(2, {}), bringing(8), got(4, { categoryId: 2 })];
    expect(of(...changed, gotOther(5, 'Rex'), gotOther(6, 'Rex'))).toBe('fail');
    expect(of(...changed, gotOther(5, 'Rex'), gotOther(6, 'Tom'))).toBe('inconclusive');
  });

  it('judges no identifier that may be the next one', () => {
    expect(of(creationOf({ ...sent, id: 8 }, { sent: { ...sent, id: 8 }, ...at(3) }))).toBe('inconclusive');
  });
});

describe('CREATE-15', () => {
  const observed = (...exchanges: Exchange[]): Record<string, string> =>
    Object.fromEntries(
      (judged('CREATE-15', exchanges).observations ?? []).map((one) => [one.subject, one.behaviour]),
    );

  it('observes what becomes of bodies on which the specification is silent', () => {
    const coloured = { ...pet, id: 8, colour: 'brown' };
    const { id: _id, ...body } = coloured;
    expect(
      observed(
        victim,
        creationOf(coloured, { sent: body, ...at(2) }),
        creationOf({ ...pet, name: '' }, { status: 400, json: {}, ...at(3) }),
        creationOf({ id: 9, name: 'Rex', categoryId: 1 }, { json: { ...pet, id: 9 }, ...at(4) }),
      ),
    ).toEqual({
      '`Location` on creation': 'none',
      'an additional property': 'created with `name` "Rex", `status` "sold", `colour` "brown"',
      'empty name': 'refused with 400',
      '`status` left out': 'created with `name` "Rex", `status` "sold"',
    });
  });

  it('names the animal that no listing survives', () => {
    const lone = creationOf(pet, { sent: '{"name":"Rex \\ud800","categoryId":1}', ...at(2) });
    const behaviour = (status: number): string =>
      Object.values(observed(lone, exchangeOf({ status, json: [], ...at(3) }))).at(-1) ?? '';
    expect(behaviour(500)).toMatch(/the listing behind it gets 500: remove the animal 7,/u);
    expect(behaviour(200)).toBe('created with `name` "Rex", `status` "sold"');
  });
});
