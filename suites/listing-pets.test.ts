import { describe, expect, it } from 'vitest';
import './listing-pets.suite.js';
import { judged } from '../lib/evidence/testing/evidence-of.js';
import type { Exchange } from '../lib/evidence/exchange.js';
import type { RequirementId } from '../lib/specification/catalogue.js';
import { creationOf, exchangeOf, type Sketch } from '../lib/verdict/testing/exchange.js';

const at = (seconds: number): Pick<Sketch, 'sentAt'> => ({
  sentAt: new Date(Date.parse('2026-03-01T12:00:00Z') + seconds * 1_000).toISOString(),
});
const pet = (id: number, members: object = {}): Readonly<Record<string, unknown>> => ({
  id,
  name: `pc7 control ${id}`,
  categoryId: 1,
  status: 'sold',
  ...members,
});
const created = (id: number, sketch: Sketch = {}): Exchange => creationOf(pet(id), { ...at(0), ...sketch });
const listing = (animals: readonly unknown[], query = '?limit=100', seconds = 9): Exchange =>
  exchangeOf({ json: animals, path: `/pets${query}`, ...at(seconds) });

function verdict(id: RequirementId, ...exchanges: Exchange[]): string {
  return judged(id, exchanges).verdict;
}

describe('LIST-08', () => {
  it('fails if a page with room omits a created animal', () => {
    expect(verdict('LIST-08', created(1), listing([pet(1)]))).toBe('pass');
    expect(verdict('LIST-08', created(1), listing([pet(2)]))).toBe('fail');
    expect(verdict('LIST-08', created(1), listing([pet(1)]), listing([], '?status=sold'))).toBe('fail');
  });

  it('tells what no listing shows without a filter, and with one only what that one omits', () => {
    const messagesOf = (...pages: Exchange[]) =>
      judged('LIST-08', [created(1), ...pages]).findings.map(({ message }) => message);
    const filtered = listing([], '?limit=100&status=sold');
    expect(messagesOf(listing([]), filtered)).toEqual(['a created animal is missing from the listing']);
    expect(messagesOf(listing([pet(1)]), filtered)).toEqual([
      'a created animal is missing from the listing with `status=sold`',
    ]);
  });

  it('shows by a command what a page with a filter lacks: an animal of before, if a new one would not be missing', () => {
    const commandOf = (newer: number) => {
      const ids = Array.from({ length: newer + 1 }, (_one, index) => index + 1);
      const pages = [listing(ids.map((id) => pet(id))), listing([], '?limit=100&status=sold')];
      const [finding] = judged('LIST-08', [...ids.map((id) => created(id)), ...pages]).findings;
      return finding?.reproduce;
    };
    expect(commandOf(5)).toContain('--data-raw');
    expect(commandOf(25)).toMatch(/^curl -i '[^']*\/pets\/1'.*; curl -i '[^']*status=sold'/u);
  });

  it('is inconclusive if every page is full, and says what to do', () => {
    const others = Array.from({ length: 100 }, (_pet, index) => pet(index + 10));
    const { verdict: found, reason } = judged('LIST-08', [
      created(1),
      listing(others, '?status=sold&limit=100'),
    ]);
    expect([found, reason]).toEqual(['inconclusive', expect.stringContaining('Empty the store')]);
  });

  it('leaves responses that are not listings to another requirement', () => {
    const moved = exchangeOf({ path: '/pets?status=sold', status: 301, ...at(9) });
    expect(judged('LIST-08', [created(1), listing([pet(1)]), moved]).leftTo).toEqual(['LIST-01']);
  });
});

it('LIST-09 fails if a listing shows an identifier twice', () => {
  expect(verdict('LIST-09', listing([pet(1), pet(2)]))).toBe('pass');
  expect(verdict('LIST-09', listing([pet(1), pet(1)]))).toBe('fail');
  expect(verdict('LIST-09', listing([]))).toBe('inconclusive');
});

describe('LIST-10', () => {
  it('fails if a listing shows an animal otherwise than its creation returned it', () => {
    expect(verdict('LIST-10', created(1), listing([pet(1)]))).toBe('pass');
    expect(verdict('LIST-10', created(1), listing([pet(1, { name: 'Tom' })]))).toBe('fail');
  });

  it('counts what listings show again and again', () => {
    const renamed = Array.from({ length: 500 }, () => listing([pet(1, { name: 'Tom' })]));
    expect(judged('LIST-10', [created(1), ...renamed]).findings).toMatchObject([{ occurrences: 500 }]);
  });

  it('fails if listings leave out a status that the creation returned', () => {
    const { status: _status, ...silent } = pet(1);
    const { id: _id, ...sent } = silent;
    expect(verdict('LIST-10', created(1), listing([silent]))).toBe('fail');
    expect(verdict('LIST-10', created(1, { sent, json: silent }), listing([pet(1)]))).toBe('pass');
  });

  it('passes over what the creation itself returned wrongly, and an identifier that two creations returned', () => {
    const renamed = creationOf(pet(1), { json: pet(1, { name: 'Tom' }), ...at(0) });
    expect(verdict('LIST-10', renamed, listing([pet(1)]))).toBe('pass');
    const second = creationOf(pet(1, { name: 'Tom' }), at(1));
    expect(verdict('LIST-10', created(1), second, listing([pet(1)]))).toBe('inconclusive');
  });

  it('fails if an animal is listed under another identifier, told by a name that was sent once', () => {
    const twin = listing([pet(1), pet(9, { name: pet(1).name })]);
    expect(judged('LIST-10', [created(1), twin]).findings[0]).toMatchObject({ pointer: '/id' });
    const { id: _id, ...sent } = pet(1);
    const refused = exchangeOf({ operation: 'createPet', method: 'POST', sent, status: 400 });
    expect(verdict('LIST-10', refused, created(1), twin)).toBe('pass');
  });
});

it('LIST-14 observes how soon and how steadily animals are listed', () => {
  const { verdict: found, observations = [] } = judged('LIST-14', [
    created(1),
    listing([], '?limit=100', 1),
    listing([pet(1)], '?limit=100', 2),
    listing([], '?limit=100', 3),
  ]);
  expect(found).toBe('observed');
  expect(observations.map(({ behaviour }) => behaviour)).toEqual([
    '1 of the 1 animal were omitted at first, up to 999 milliseconds after the 201',
    '1 of the 1 animal',
    'none',
  ]);
  expect(verdict('LIST-14', created(1), listing([]))).toBe('inconclusive');
});
