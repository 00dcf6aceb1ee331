import { describe, expect, it } from 'vitest';
import type { Exchange } from './exchange.js';
import { creationOf, exchangeOf, type Sketch } from '../verdict/testing/exchange.js';
import { evidenceOf } from './testing/evidence-of.js';

const at = (seconds: number): Pick<Sketch, 'sentAt'> => ({
  sentAt: new Date(Date.parse('2026-03-01T12:00:00Z') + seconds * 1_000).toISOString(),
});
const pet = { id: 1, name: 'Rex', categoryId: 1, status: 'sold' };
const created = (members: object = {}, sketch: Sketch = {}): Exchange =>
  creationOf({ ...pet, ...members }, { ...at(0), ...sketch });
const listed = (query: string, sketch: Sketch = {}): Exchange =>
  exchangeOf({ path: `/pets${query}`, json: [pet], ...sketch });

describe('creations', () => {
  it('are plain, unusual or without a status: each is one of them', () => {
    const { creations } = evidenceOf([
      created(),
      created({ id: 2 }),
      created({ id: 3, categoryId: 2 ** 40 }),
      created({ id: 4, name: 'Zoë' }),
      created({ id: 5, status: undefined }),
    ]);
    const counts = [creations.plain, creations.unusual('categoryId'), creations.unusual('name')];
    expect([...counts, creations.withoutStatus].map(({ length }) => length)).toEqual([2, 1, 1, 1]);
  });

  it('of a category that the user or the target names are not unusual', () => {
    const large = created({ categoryId: 2 ** 40 });
    expect(evidenceOf([large], { categoryId: 2n ** 40n }).creations.plain.length).toBe(1);
    expect(evidenceOf([large]).creations.plain.length).toBe(1);
  });

  it('over the limit, sent again, or of another key are left out', () => {
    const { creations } = evidenceOf([
      created({}, { status: 429 }),
      created({}, { id: 'e1', status: 502 }),
      created({}, { id: 'e2', repeats: 'e1' }),
      created({}, { credential: 'other' }),
    ]);
    expect(creations.all.map(({ id }) => id)).toEqual(['e2']);
  });
});

it('listings are selected by their parameters', () => {
  const queries = ['', '?limit=1', '?limit=100', '?limit=101', '?limit=1.5', '?limit=1&status=sold'];
  const { listings } = evidenceOf(queries.map((query) => listed(query)));
  expect(listings.unspecifiedOnlyBy('limit').length).toBe(2);
  expect(listings.pages.map(({ limit, filter }) => [limit, filter])).toEqual([
    [undefined, undefined],
    [1, undefined],
    [100, undefined],
    [1, 'sold'],
  ]);
});

it('fetches of created animals are those sent after the creation, in the usual spelling', () => {
  const fetched = (path: string, seconds: number): Exchange =>
    exchangeOf({ operation: 'getPet', path, json: pet, ...at(seconds) });
  const { fetchesOfOwn } = evidenceOf([
    created(),
    fetched('/pets/1', -1),
    fetched('/pets/1', 1),
    fetched('/pets/01', 1),
    fetched('/pets/2', 1),
  ]);
  expect(fetchesOfOwn.map(([, { id }]) => id)).toEqual(['1']);
});
