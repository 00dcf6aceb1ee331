import { describe, expect, it } from 'vitest';
import type { Exchange } from './exchange.js';
import { creationOf, exchangeOf, type Sketch } from '../verdict/testing/exchange.js';
import type { Pets } from './pets.js';
import { evidenceOf } from './testing/evidence-of.js';

type Pet = Readonly<{ id: number; name: string; categoryId: number; status: string }>;

const begin = Date.parse('2026-03-01T12:00:00Z');
const at = (seconds: number): Pick<Sketch, 'sentAt'> => ({
  sentAt: new Date(begin + seconds * 1_000).toISOString(),
});
const pet = (id: number): Pet => ({ id, name: `pc7 control ${id}`, categoryId: 1, status: 'sold' });
const created = (shown: Pet, seconds: number, sketch: Sketch = {}): Exchange =>
  creationOf(shown, { ...at(seconds), ...sketch });
const listing = (animals: readonly unknown[], seconds: number): Exchange =>
  exchangeOf({ json: animals, ...at(seconds) });
const refused = (sent: unknown, seconds: number, status = 400): Exchange =>
  exchangeOf({ operation: 'createPet', method: 'POST', sent, status, json: {}, ...at(seconds) });
const petsOf = (...exchanges: Exchange[]): Pets => evidenceOf(exchanges).pets;

describe('an identifier', () => {
  it('is given again if a listing had shown it before the creation was sent', () => {
    const resident = { ...pet(1), name: 'Resident' };
    const ids = (...exchanges: Exchange[]): string[] =>
      petsOf(...exchanges).reused.map(([, one]) => one.animal?.id ?? '');
    expect(ids(listing([resident], 0), created(pet(1), 1))).toEqual(['1']);
    expect(ids(listing([resident], 0), created(pet(2), 1))).toEqual([]);
    // The listing ends after the creation was sent: it may show the new animal.
    expect(ids(listing([pet(1)], 0), created(pet(1), 0))).toEqual([]);
    // An animal of the run under a wrong identifier, and an identifier that the body brought, are other matters.
    expect(ids(created(pet(5), 0), listing([{ ...pet(5), id: 1 }], 1), created(pet(1), 2))).toEqual([]);
    expect(ids(listing([resident], 0), created(pet(1), 1, { sent: pet(1) }))).toEqual([]);
  });

  it('that two creations returned names no animal of its own', () => {
    const { created: animals, sameIds } = petsOf(created(pet(1), 0), created({ ...pet(1), name: 'Tom' }, 1));
    expect([animals.get('1')?.isOwn, sameIds.length]).toEqual([false, 1]);
    expect(petsOf(created(pet(1), 0)).created.get('1')?.isOwn).toBe(true);
  });
});

describe('an animal', () => {
  it('is not its own if a request tried to change it', () => {
    const put = exchangeOf({ operation: null, method: 'PUT', path: '/pets/1', status: 405, ...at(1) });
    expect(petsOf(created(pet(1), 0), put).created.get('1')?.isOwn).toBe(false);
    expect(petsOf(created(pet(2), 0), put).created.get('2')?.isOwn).toBe(true);
  });

  it('keeps each way in which it is shown, with how often', () => {
    const renamed = { ...pet(1), name: 'Tom' };
    const pets = petsOf(
      listing([pet(2)], 0),
      created(pet(1), 1),
      listing([pet(1)], 2),
      listing([pet(1)], 3),
      listing([renamed], 4),
    );
    const shown = pets.created.get('1')?.listed.map(({ animal, times }) => [animal.shown.name, times]);
    expect(shown).toEqual([
      ['pc7 control 1', 2],
      ['Tom', 1],
    ]);
  });
});

describe('what a refused creation left', () => {
  const body = { name: 'pc7 CREATE-08 1', categoryId: '1', status: 'sold' };
  const leftBy = (...exchanges: Exchange[]): unknown =>
    evidenceOf(exchanges).refused.invalid[0]?.left?.animal.id;

  it('is found by its name, unless a creation of that name was accepted or broke off', () => {
    const later = listing([{ ...pet(9), name: body.name }], 2);
    expect(leftBy(refused(body, 1), later)).toBe('9');
    expect(leftBy(refused(body, 3), later)).toBeUndefined();
    expect(leftBy(created({ ...pet(9), name: body.name }, 0), refused(body, 1), later)).toBeUndefined();
    const broken = exchangeOf({
      operation: 'createPet',
      sent: body,
      status: null,
      failure: 'reset',
      ...at(0),
    });
    expect(leftBy(broken, refused(body, 1), later)).toBeUndefined();
  });

  it('is found by a category that one animal alone has, or by having nothing', () => {
    const rare = { ...pet(1), categoryId: 2 ** 30 + 7 };
    const nameless = { categoryId: rare.categoryId, status: 'sold' };
    expect(
      leftBy(created(rare, 0), refused(nameless, 1), listing([{ id: 9, ...nameless, name: '' }], 2)),
    ).toBe('9');
    expect(leftBy(created(rare, 0), refused(nameless, 1), listing([rare], 2))).toBeUndefined();
    const defaulted = { ...rare, id: 9, name: 'unnamed' };
    expect(leftBy(created(rare, 0), refused(nameless, 1), listing([defaulted], 2))).toBe('9');
    const ofOtherRun = { ...rare, id: 9, name: 'pc8 control 3' };
    expect(leftBy(created(rare, 0), refused(nameless, 1), listing([ofOtherRun], 2))).toBeUndefined();
    expect(leftBy(refused('null', 1), listing([{ id: 9, name: '', categoryId: 0 }], 2))).toBe('9');
  });

  it('is an animal whose name is the number that was refused, as text', () => {
    const later = listing([{ ...pet(9), name: '85769345' }], 2);
    expect(leftBy(refused({ ...pet(9), name: 85_769_345 }, 1), later)).toBe('9');
    // A short number may be the name of anybody's animal.
    expect(
      leftBy(refused({ ...pet(9), name: 7 }, 1), listing([{ ...pet(9), name: '7' }], 2)),
    ).toBeUndefined();
  });

  it('is another matter behind a 401 or a 429', () => {
    const { invalid, overLimit } = evidenceOf([refused(body, 1, 401), refused(body, 1, 429)]).refused;
    expect([invalid, overLimit]).toEqual([[], [expect.anything()]]);
  });
});
