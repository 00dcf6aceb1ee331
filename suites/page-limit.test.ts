import { describe, expect, it } from 'vitest';
import './page-limit.suite.js';
import { judged } from '../lib/evidence/testing/evidence-of.js';
import type { Exchange } from '../lib/evidence/exchange.js';
import type { RequirementId } from '../lib/specification/catalogue.js';
import { creationOf, exchangeOf, type Sketch } from '../lib/verdict/testing/exchange.js';

const at = (seconds: number): Pick<Sketch, 'sentAt'> => ({
  sentAt: new Date(Date.parse('2026-03-01T12:00:00Z') + seconds * 1_000).toISOString(),
});

function listing(query: string, length: number, sketch: Sketch = {}): Exchange {
  const { status = 200 } = sketch;
  const json = Array.from({ length }, (_pet, index) => ({ id: index + 1, name: 'Rex', categoryId: 1 }));
  return exchangeOf({ path: `/pets${query}`, json: status === 200 ? json : {}, ...sketch });
}

function verdict(id: RequirementId, ...exchanges: Exchange[]): string {
  return judged(id, exchanges).verdict;
}

it('LIST-02 fails if any limit from 1 to 100 is exceeded or refused, whoever sent it', () => {
  const plain = listing('', 20);
  const of = (...exchanges: Exchange[]): string => verdict('LIST-02', plain, ...exchanges);
  expect(of(listing('?limit=1', 1), listing('?limit=10', 10))).toBe('pass');
  expect(of(listing('?limit=1', 1), listing('?limit=10', 11))).toBe('fail');
  expect(of(listing('?limit=100', 0, { status: 400 }))).toBe('fail');
  // Other requirements judge these.
  expect(of(listing('?limit=101', 101))).toBe('inconclusive');
  expect(of(listing('?limit=1&status=sold', 2))).toBe('inconclusive');
  expect(of(listing('?limit=1.5', 0, { status: 400 }))).toBe('inconclusive');
});

it('LIST-02 is inconclusive if no listing succeeds, or the store shows one animal', () => {
  const refused = listing('', 0, { status: 500 });
  expect(judged('LIST-02', [refused, listing('?limit=1', 2, { status: 500 })]).leftTo).toEqual(['LIST-01']);
  expect(verdict('LIST-02', listing('', 1), listing('?limit=1', 1))).toBe('inconclusive');
});

describe('LIST-03', () => {
  const large = listing('?limit=100', 30, at(0));
  const pair = (without: number, withDefault: number, filter = ''): Exchange[] => [
    listing(`?${filter}`, without, at(3)),
    listing(`?${filter}limit=20`, withDefault, at(4)),
  ];

  it('fails if a listing without a limit shows more than 20 animals, or others than with 20', () => {
    expect(verdict('LIST-03', large, ...pair(20, 20))).toBe('pass');
    expect(verdict('LIST-03', large, ...pair(21, 21))).toBe('fail');
    expect(verdict('LIST-03', large, ...pair(20, 19))).toBe('fail');
    const sold = Array.from({ length: 30 }, (_pet, index) => ({ id: index + 1, status: 'sold' }));
    const filtered = exchangeOf({ path: '/pets?status=sold&limit=100', json: sold, ...at(0) });
    expect(verdict('LIST-03', filtered, ...pair(20, 20), ...pair(10, 20, 'status=sold&'))).toBe('fail');
  });

  it('compares only listings between which nothing was created', () => {
    const [without, withDefault] = pair(20, 19);
    const created = creationOf({ id: 1, name: 'Rex', categoryId: 1 }, at(3.5));
    expect(verdict('LIST-03', large, ...pair(20, 20), created)).toBe('inconclusive');
    expect(verdict('LIST-03', large, ...[without, created, withDefault].flatMap((one) => one ?? []))).toBe(
      'inconclusive',
    );
  });

  it('passes over what other clients add in between', () => {
    expect(verdict('LIST-03', ...pair(19, 20), listing('?limit=100', 30, at(5)))).toBe('pass');
  });

  it('is inconclusive of a store that is small, or has become so', () => {
    expect(verdict('LIST-03', ...pair(20, 20))).toBe('inconclusive');
    expect(verdict('LIST-03', large, ...pair(10, 19))).toBe('inconclusive');
  });
});

describe('LIST-04', () => {
  const large = listing('?limit=100', 30, at(0));
  const again = listing('?limit=100', 30, at(60));

  it('warns if a page is shorter than its limit, and the store still holds what it omits', () => {
    expect(verdict('LIST-04', large, listing('?limit=10', 10, at(9)), again)).toBe('pass');
    expect(verdict('LIST-04', large, listing('?limit=10', 9, at(9)), again)).toBe('warn');
    expect(verdict('LIST-04', large, listing('?limit=10', 9, at(9)))).toBe('inconclusive');
  });

  it('waits for the consistency time, and passes over what a page omits now and then', () => {
    expect(verdict('LIST-04', large, listing('?limit=10', 9, at(1)), again)).toBe('pass');
    const steady = [listing('?limit=10', 9, at(9)), listing('?limit=10', 10, at(10))];
    expect(verdict('LIST-04', large, ...steady, again)).toBe('pass');
  });

  it('counts what listings under the same filter have shown', () => {
    const sold = (query: string, length: number, seconds: number): Exchange => {
      const json = Array.from({ length }, (_pet, index) => ({ id: index + 1, name: 'Rex', status: 'sold' }));
      return exchangeOf({ path: `/pets?${query}`, json, ...at(seconds) });
    };
    const pages = [sold('limit=100', 30, 0), sold('status=sold&limit=100', 2, 1)];
    expect(verdict('LIST-04', ...pages, sold('status=sold&limit=10', 2, 9), again)).toBe('pass');
    const others = [sold('status=sold&limit=100', 12, 0), sold('status=sold&limit=10', 9, 9)];
    expect(verdict('LIST-04', ...others, sold('status=sold&limit=100', 12, 10))).toBe('warn');
  });

  it('is inconclusive if listings have shown fewer than two animals', () => {
    expect(verdict('LIST-04', listing('?limit=1', 1), listing('?limit=1', 0, at(9)))).toBe('inconclusive');
  });
});

describe('LIST-05', () => {
  const large = [listing('?limit=100', 100), creationOf({ id: 901, name: 'Rex', categoryId: 1 })];
  const further = [902, 903].map((id) => creationOf({ id, name: 'Rex', categoryId: 1 }));
  const of = (...exchanges: Exchange[]): string => verdict('LIST-05', ...large, ...further, ...exchanges);

  it('fails if a limit that is not from 1 to 100 returns more than 100 animals', () => {
    expect(of(listing('?limit=101', 100), listing('?limit=0', 0, { status: 400 }))).toBe('pass');
    expect(of(listing('?limit=101', 101))).toBe('fail');
    expect(of(listing('?limit=-1&status=sold', 101))).toBe('fail');
    expect(of(exchangeOf({ path: '/pets?limit=abc', failure: 'too-large', text: '[' }))).toBe('fail');
    // Other requirements judge these.
    expect(of(listing('?limit=100', 101))).toBe('inconclusive');
    expect(of(listing('', 101))).toBe('inconclusive');
  });

  it('is inconclusive of a store that no page could show too much of', () => {
    expect(verdict('LIST-05', ...large, listing('?limit=101', 100))).toBe('inconclusive');
  });
});
