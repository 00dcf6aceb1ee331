import { describe, expect, it } from 'vitest';
import './listing.suite.js';
import './listing-pets.suite.js';
import { judged } from '../lib/evidence/testing/evidence-of.js';
import type { Exchange } from '../lib/evidence/exchange.js';
import type { RequirementId } from '../lib/specification/catalogue.js';
import { creationOf, exchangeOf, type Sketch } from '../lib/verdict/testing/exchange.js';

const pet = (id: number, status?: string): Readonly<Record<string, unknown>> => ({
  id,
  name: `pc7 control ${id}`,
  categoryId: 1,
  ...(status !== undefined && { status }),
});
const listing = (query: string, animals: unknown, sketch: Sketch = {}): Exchange =>
  exchangeOf({ path: `/pets${query}`, json: animals, ...sketch });
const sold = (...ids: number[]): unknown => ids.map((id) => pet(id, 'sold'));

function verdict(id: RequirementId, ...exchanges: Exchange[]): string {
  return judged(id, exchanges).verdict;
}

describe('LIST-01', () => {
  it('fails if a listing with default parameters is refused, or any is no bare array of objects', () => {
    expect(verdict('LIST-01', listing('', sold(1)), listing('?limit=20', sold(1)))).toBe('pass');
    expect(verdict('LIST-01', listing('', sold(1)), listing('?status=sold', {}, { status: 400 }))).toBe(
      'fail',
    );
    expect(verdict('LIST-01', listing('', sold(1)), listing('?limit=7', { data: [] }))).toBe('fail');
    expect(verdict('LIST-01', listing('', [1]))).toBe('fail');
  });

  it('does not judge whether other limits are accepted', () => {
    expect(verdict('LIST-01', listing('', sold(1)), listing('?limit=1', {}, { status: 400 }))).toBe('pass');
  });

  it('is inconclusive if no listing shows an animal', () => {
    expect(verdict('LIST-01', listing('', []))).toBe('inconclusive');
  });
});

describe('LIST-06', () => {
  it('fails if a filter lets an animal of another status through', () => {
    expect(verdict('LIST-06', listing('?status=sold', sold(1)))).toBe('pass');
    expect(verdict('LIST-06', listing('?status=pending', sold(1)))).toBe('fail');
    expect(verdict('LIST-06', listing('?status=pending&limit=100', sold(1)))).toBe('fail');
    // Another requirement judges small pages.
    expect(verdict('LIST-06', listing('?status=pending&limit=2', sold(1)))).toBe('inconclusive');
  });

  it('tells of a filter that is ignored by one page that shows it', () => {
    const both = [...(sold(1) as unknown[]), pet(2, 'pending')];
    const { findings } = judged('LIST-06', [listing('?status=sold', both), listing('?status=pending', both)]);
    expect(findings.map(({ message }) => message)).toEqual(
      ['sold', 'pending'].map((status) => `\`status=${status}\` returns animals of another status`),
    );
  });

  it('knows the status of an animal that was created, if listings show none', () => {
    const created = creationOf(pet(1, 'sold'));
    expect(verdict('LIST-06', created, listing('?status=sold', [pet(1)]))).toBe('pass');
    expect(verdict('LIST-06', created, listing('?status=pending', [pet(1)]))).toBe('fail');
  });

  it('fails if an animal is listed under two statuses, unless another client may have changed it', () => {
    const under = (status: string, shown?: string): Exchange => listing(`?status=${status}`, [pet(1, shown)]);
    expect(verdict('LIST-06', under('sold'), under('pending'))).toBe('fail');
    expect(verdict('LIST-06', under('sold', 'sold'), under('pending', 'pending'))).toBe('pass');
    const created = creationOf(pet(1));
    expect(verdict('LIST-06', created, under('sold', 'sold'), under('pending', 'pending'))).toBe('fail');
  });

  it('is inconclusive if a filter shows no animal, or none whose status is known', () => {
    expect(verdict('LIST-06', listing('?status=sold', sold(1)), listing('?status=pending', []))).toBe(
      'inconclusive',
    );
    expect(verdict('LIST-06', listing('?status=sold', [pet(1)]))).toBe('inconclusive');
    expect(judged('LIST-06', [listing('?status=sold', {})]).leftTo).toEqual(['LIST-01']);
  });
});

describe('LIST-07', () => {
  it('fails if a page with a filter is too long, or shows another status', () => {
    expect(verdict('LIST-07', listing('?limit=2&status=sold', sold(1, 2)))).toBe('pass');
    expect(verdict('LIST-07', listing('?limit=2&status=sold', sold(1, 2, 3)))).toBe('fail');
    expect(verdict('LIST-07', listing('?status=pending&limit=2', sold(1)))).toBe('fail');
    expect(verdict('LIST-07', listing('?limit=2&status=sold', []))).toBe('inconclusive');
  });

  it('shows the smallest page that is wrong', () => {
    const pages = [listing('?limit=5&status=pending', sold(1)), listing('?limit=1&status=pending', sold(1))];
    expect(judged('LIST-07', pages).findings[0]?.expected).toBe('at most 1 animal, all of them pending');
  });

  it('fails if a pair is refused of which each is accepted alone', () => {
    const refused = listing('?limit=2&status=sold', {}, { status: 400 });
    const alone = [listing('?limit=2', sold(1)), listing('?status=sold', sold(1))];
    expect(verdict('LIST-07', ...alone, refused)).toBe('fail');
    expect(judged('LIST-07', [...alone.slice(0, 1), refused]).leftTo).toEqual(['LIST-01']);
  });
});

describe('what listings do is observed', () => {
  const behaviours = (id: RequirementId, ...exchanges: Exchange[]): string[] =>
    judged(id, exchanges).observations?.map(({ behaviour }) => behaviour) ?? [];

  it('of limits and statuses that are not specified', () => {
    const known = listing('', sold(1, 2, 3));
    const pages = [listing('?limit=0', sold(1)), listing('?limit=1&limit=2', {}, { status: 400 })];
    expect(behaviours('LIST-11', known, ...pages)).toEqual([
      '1 animal: as with `limit=1`',
      'refused with 400',
    ]);
    const mixed = [pet(1, 'sold'), pet(2, 'pending')];
    expect(behaviours('LIST-12', listing('?status=sleeping', mixed))).toEqual([
      '2 animals with "pending", "sold": the filter is ignored',
    ]);
    expect(verdict('LIST-11', known)).toBe('inconclusive');
  });

  it('of order and paging', () => {
    const paged = listing('', sold(1, 2, 3), { headers: [['Link', '</pets?page=2>']] });
    expect(behaviours('LIST-13', paged)).toEqual(['`id` ascending', 'Link']);
    expect(behaviours('LIST-13', listing('', sold(3, 2, 1)))).toEqual(['`id` descending', 'none']);
  });
});
