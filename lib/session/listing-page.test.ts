import { describe, expect, it } from 'vitest';
import { exchangeOf, type Sketch } from '../verdict/testing/exchange.js';
import { shortPages } from './listing-page.js';

const animals = (...ids: number[]) =>
  ids.map((id) => ({ id, name: `a${id}`, categoryId: 1, status: 'sold' }));
const at = (second: number, path: string, json: unknown, sketch: Sketch = {}) =>
  exchangeOf({ sentAt: new Date(1_800_000_000_000 + second * 1000).toISOString(), path, json, ...sketch });

describe('a page that is short', () => {
  it('holds fewer than the default if no limit was given', () => {
    const many = animals(...Array.from({ length: 30 }, (_, index) => index));
    const exchanges = [
      at(0, '/pets?status=sold&limit=100', many),
      at(1, '/pets?status=sold', many.slice(0, 10)),
      at(2, '/pets', many.slice(0, 20)),
    ];
    expect(shortPages(exchanges, 20)).toEqual([{ limit: undefined, status: 'sold', known: 30 }]);
  });

  it('holds fewer than earlier listings have shown', () => {
    const exchanges = [
      at(0, '/pets?limit=2', animals(1, 2)),
      at(1, '/pets?limit=2&status=sold', animals(3)),
      at(2, '/pets', animals(3, 4)),
      at(3, '/pets?limit=3', animals(2, 3)),
      at(4, '/pets?limit=2&status=sold', animals()),
    ];
    expect(shortPages(exchanges, 20)).toEqual([
      { limit: undefined, status: undefined, known: 3 },
      { limit: 3, status: undefined, known: 4 },
      { limit: 2, status: 'sold', known: 1 },
    ]);
  });

  it('is none if it holds its limit, or all that was shown before it', () => {
    const exchanges = [
      at(0, '/pets?limit=100', animals(1, 2), { total: 1500 }),
      at(1, '/pets?limit=5', animals(1)),
      at(2, '/pets?limit=1', animals(2)),
      at(3, '/pets', animals(1, 2)),
      at(4, '/pets?limit=5&status=sold', animals()),
    ];
    expect(shortPages(exchanges, 20)).toEqual([]);
  });

  it('is none if the response is not a listing, or the input is unspecified', () => {
    const exchanges = [
      at(0, '/pets?limit=2', animals(1, 2)),
      at(1, '/pets?limit=3', { data: [] }),
      at(2, '/pets?limit=4', { code: 'x' }, { status: 400 }),
      at(3, '/pets?limit=101', [], { input: 'silent' }),
      at(4, '/pets?limit=5', [], { credential: 'missing' }),
    ];
    expect(shortPages(exchanges, 20)).toEqual([]);
  });
});
