import { expect, it } from 'vitest';
import './page-limit.suite.js';
import { judged } from '../lib/evidence/testing/evidence-of.js';
import type { Exchange } from '../lib/http/exchange/exchange.js';
import { exchangeOf } from '../lib/verdict/testing/exchange.js';

function listing(query: string, length: number, status = 200): Exchange {
  const json = Array.from({ length }, (_pet, index) => ({ id: index + 1, name: 'Rex', categoryId: 1 }));
  return exchangeOf({ path: `/pets${query}`, status, json: status === 200 ? json : {} });
}

it('LIST-02 fails if any limit from 1 to 100 is exceeded or refused, whoever sent it', () => {
  const plain = listing('', 20);
  const of = (...exchanges: Exchange[]): string => judged('LIST-02', [plain, ...exchanges]).verdict;
  expect(of(listing('?limit=1', 1), listing('?limit=10', 10))).toBe('pass');
  expect(of(listing('?limit=1', 1), listing('?limit=10', 11))).toBe('fail');
  expect(of(listing('?limit=100', 0, 400))).toBe('fail');
  // Other requirements judge these.
  expect(of(listing('?limit=101', 101))).toBe('inconclusive');
  expect(of(listing('?limit=1&status=sold', 2))).toBe('inconclusive');
  expect(of(listing('?limit=1.5', 0, 400))).toBe('inconclusive');
});

it('LIST-02 is inconclusive if no listing succeeds without a limit, or the store shows one animal', () => {
  expect(judged('LIST-02', [listing('', 0, 500), listing('?limit=1', 2)]).leftTo).toEqual(['LIST-01']);
  expect(judged('LIST-02', [listing('', 1), listing('?limit=1', 1)]).verdict).toBe('inconclusive');
});
