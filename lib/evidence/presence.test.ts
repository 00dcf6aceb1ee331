import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { creationOf, exchangeOf, type Sketch } from '../verdict/testing/exchange.js';
import { Exchange } from './exchange.js';
import type { Presence } from './presence.js';
import { evidenceOf } from './testing/evidence-of.js';

type Pet = Readonly<{ id: number; name: string; categoryId: number; status: string }>;

const consistencyMs = 2_000;
const begin = Date.parse('2026-03-01T12:00:00Z');
const at = (seconds: number): { sentAt: string } => ({
  sentAt: new Date(begin + seconds * 1_000).toISOString(),
});
const pet = (id: number, status = 'sold'): Pet => ({ id, name: `pc7 control ${id}`, categoryId: 1, status });
const created = (shown: Pet, seconds: number, sketch: Sketch = {}): Exchange =>
  creationOf(shown, { ...at(seconds), ...sketch });
const listing = (animals: readonly unknown[], seconds: number, query = '?limit=100'): Exchange =>
  exchangeOf({ json: animals, path: `/pets${query}`, ...at(seconds) });

function presenceOf(exchanges: readonly Exchange[]): Presence {
  return evidenceOf(exchanges, { consistencyMs }).presence;
}

/** The identifiers that pages omit, page by page. */
function omitted(...responses: readonly Exchange[]): string[][] {
  return presenceOf(responses).omissions.map(({ missing }) => missing.map(({ id }) => id));
}

describe('an animal of the run', () => {
  it('must be on a page with room from the consistency time on', () => {
    const [one, two] = [pet(1), pet(2)];
    expect(omitted(created(one, 0), created(two, 0), listing([two], 1.9))).toEqual([]);
    expect(omitted(created(one, 0), created(two, 0), listing([two], 2.1))).toEqual([['1']]);
    expect(omitted(created(one, 0), listing([], 60))).toEqual([['1']]);
  });

  it('need not be on a page that is full, or that may be cut off by a limit of the target', () => {
    const others = (count: number): Pet[] => Array.from({ length: count }, (_pet, index) => pet(index + 10));
    const afterCreation = (animals: readonly Pet[], query: string): string[][] =>
      omitted(created(pet(1), 0), listing(animals, 9, query));
    expect(afterCreation(others(100), '?limit=100')).toEqual([]);
    expect(afterCreation(others(50), '?limit=100')).toEqual([]);
    expect(afterCreation(others(20), '')).toEqual([]);
    expect(afterCreation(others(29), '?limit=30')).toEqual([]);
    expect(afterCreation(others(47), '?limit=100')).toEqual([['1']]);
    expect(afterCreation(others(19), '')).toEqual([['1']]);
    // Another page of that limit has held more.
    const longer = listing(others(30), 1, '?limit=30');
    expect(omitted(created(pet(1), 0), longer, listing(others(29), 9, '?limit=30'))).toEqual([['1']]);
    // Pages of two filters end at the same length.
    const pages = [listing(others(99), 9), listing(others(99), 9, '?limit=100&status=sold')];
    expect(omitted(created(pet(1), 0), ...pages)).toEqual([]);
  });

  it('belongs under the status that was sent and returned, if no listing shows another', () => {
    const filter = '?limit=100&status=sold';
    const page = listing([], 9, filter);
    expect(omitted(created(pet(1, 'pending'), 0), page)).toEqual([]);
    const { id: _id, status: _status, ...sent } = pet(1);
    expect(omitted(created(pet(1), 0, { sent: { ...sent, status: 'pending' } }), page)).toEqual([]);
    expect(omitted(created(pet(1), 0), page)).toEqual([['1']]);
    expect(omitted(created(pet(1), 0, { sent }), page)).toEqual([['1']]);
    expect(omitted(created(pet(1), 0), page, listing([pet(1, 'pending')], 10))).toEqual([]);
    // A listing that leaves `status` out says nothing else.
    expect(
      omitted(created(pet(1), 0), listing([{ id: 1, ...sent }], 9, filter), listing([], 10, filter)),
    ).toEqual([['1']]);
  });

  it('is passed over if its identifier is ambiguous, or a request tries to change it', () => {
    expect(omitted(created(pet(1), 0), created(pet(1), 1), listing([], 9))).toEqual([]);
    const put = exchangeOf({ operation: null, method: 'PUT', path: '/pets/1', status: 405, ...at(1) });
    expect(omitted(created(pet(1), 0), put, listing([], 9))).toEqual([]);
  });
});

describe('how steadily animals are listed', () => {
  it('is told by pages with room', () => {
    const [one, two, three] = [pet(1), pet(2), pet(3)];
    const { shown, early, delays, gone } = presenceOf([
      listing([three], 0.1),
      created(one, 0.2),
      created(two, 0.2),
      created(three, 0, { total: 500 }),
      listing([two, three], 1),
      listing([one, two, three], 2),
      listing([one, three], 3),
      listing([one], 3, '?limit=1'),
    ]);
    expect([shown.size, early, delays.map(Math.round), gone.size]).toEqual([3, 1, [799], 1]);
  });
});

/** A store that shows animals with a delay below the consistency time, requested by two clients at random. */
interface Step {
  readonly create: boolean;
  readonly others: boolean;
  readonly status: string;
  readonly limit: number;
  readonly pause: number;
  readonly delay: number;
}

const status = fc.constantFrom('available', 'pending', 'sold');
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    create: fc.boolean(),
    others: fc.boolean(),
    status,
    limit: fc.constantFrom(1, 5, 20, 100),
    pause: fc.double({ min: 0, max: 3, noNaN: true }),
    delay: fc.double({ min: 0, max: 1.9, noNaN: true }),
  }),
  { maxLength: 60 },
);

/** @param omit whether a listing omits an animal that is due */
function exchangesOf(taken: readonly Step[], omit = false): Exchange[] {
  const store: Array<{ shown: Pet; from: number }> = [];
  let now = 0;
  return taken.flatMap(({ create, others, status: of, limit, pause, delay }, index) => {
    now += pause;
    if (create) {
      const shown = pet(1_000 - index, of);
      store.push({ shown, from: now + delay });
      return others ? [] : [created(shown, now)];
    }
    const filter = others ? '' : `&status=${of}`;
    const visible = store.filter(({ shown, from }) => from <= now && (others || shown.status === of));
    const page = visible.map(({ shown }) => shown).slice(omit ? 1 : 0, limit + (omit ? 1 : 0));
    return [listing(page, now, `?limit=${limit}${filter}`)];
  });
}

describe('whatever two clients do to a store that shows animals in time', () => {
  it('nothing is found', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const presence = presenceOf(exchangesOf(taken));
        expect(presence.omissions).toEqual([]);
      }),
    );
  });

  it('an animal that every page omits is found, if a page with room had to show it', () => {
    const due: Step = { create: true, others: false, status: 'sold', limit: 100, pause: 0, delay: 0 };
    fc.assert(
      fc.property(steps, (taken) => {
        const last: Step = { ...due, create: false, others: true, pause: 3 };
        const exchanges = exchangesOf([due, ...taken.slice(0, 40), last], true);
        const presence = presenceOf(exchanges);
        // A page whose length is round may be cut off.
        const { length } = (exchanges.at(-1) ?? exchangeOf()).animals ?? [];
        fc.pre(length === 0 || length % 5 !== 0);
        expect(presence.omissions.some(({ missing }) => missing.some(({ id }) => id === '1000'))).toBe(true);
      }),
    );
  });
});
