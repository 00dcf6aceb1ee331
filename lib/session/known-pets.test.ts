import { beforeEach, describe, expect, it } from 'vitest';
import { creationOf, exchangeOf, type Sketch } from '../verdict/testing/exchange.js';
import { KnownPets } from './known-pets.js';

let knownPets: KnownPets;
beforeEach(() => {
  knownPets = new KnownPets(() => 'pc7');
});

const refusal = (status: number, sent: unknown, sketch: Sketch = {}) =>
  exchangeOf({ operation: 'createPet', method: 'POST', status, sent, ...sketch });
const listing = (animals: readonly unknown[], path = '/pets') => exchangeOf({ json: animals, path });
const names = (refusals: ReturnType<KnownPets['refused']>) => refusals.map(({ name }) => name);

describe('what the run created', () => {
  it('is known by its identifier, and listable', () => {
    knownPets.see(creationOf({ id: 9223372036854775807n, name: 'pc7 a', categoryId: 1, status: 'sold' }));
    expect(knownPets.isKnown('9223372036854775807')).toBe(true);
    expect(knownPets.listable('sold').map(({ animal }) => animal.id)).toEqual(['9223372036854775807']);
    expect(knownPets.listable('pending')).toEqual([]);
    expect([knownPets.known, knownPets.countCreated('sold'), knownPets.countCreated('pending')]).toEqual([
      1, 1, 0,
    ]);
  });

  it('is not listable if a probe tries to change it', () => {
    knownPets.see(creationOf({ id: 1, name: 'pc7 a', categoryId: 1 }, { purpose: 'CREATE-14' }));
    knownPets.see(creationOf({ id: 2, name: 'pc7 b', categoryId: 1 }, { purpose: 'ROBUST-02' }));
    expect(knownPets.listable()).toEqual([]);
    expect(knownPets.known).toBe(2);
  });

  it('is ambiguous if two creations gave one identifier', () => {
    knownPets.see(creationOf({ id: 1, name: 'pc7 a', categoryId: 1 }));
    expect(knownPets.isAmbiguous('1')).toBe(false);
    knownPets.see(creationOf({ id: 1, name: 'pc7 b', categoryId: 1 }));
    expect(knownPets.isAmbiguous('1')).toBe(true);
  });

  it('is left over, with what a listing shows of ours', () => {
    knownPets.see(creationOf({ id: 1, name: 'pc7 a', categoryId: 1 }));
    knownPets.see(
      listing([
        { id: 1, name: 'pc7 a' },
        { id: 2, name: 'pc7 lost' },
        { id: 3, name: 'Resident' },
      ]),
    );
    expect(knownPets.leftovers()).toEqual([
      { id: '1', name: 'pc7 a' },
      { id: '2', name: 'pc7 lost' },
    ]);
  });

  it('is left over by the name that was sent if the answer shows none', () => {
    knownPets.see(creationOf({ id: 1, name: 'pc7 a' }, { json: { id: 1 } }));
    expect(knownPets.leftovers()).toEqual([{ id: '1', name: 'pc7 a' }]);
  });
});

describe('what was refused', () => {
  it('is kept by its name, apart from what was refused for the key', () => {
    knownPets.see(refusal(400, { name: 'pc7 bad' }));
    knownPets.see(refusal(401, { name: 'pc7 guest' }, { credential: 'missing' }));
    expect(names(knownPets.refused())).toEqual(['pc7 bad']);
    expect(names(knownPets.unauthenticated())).toEqual(['pc7 guest']);
  });

  it('is nothing that the limiter refused, as the same is sent again', () => {
    knownPets.see(refusal(429, { name: 'pc7 a' }));
    expect([knownPets.refused(), knownPets.unauthenticated()]).toEqual([[], []]);
  });

  it('is nothing that went before under the same name and broke off: it may have been taken', () => {
    knownPets.see(refusal(200, { name: 'pc7 a' }, { status: null, failure: 'reset' }));
    knownPets.see(refusal(409, { name: 'pc7 a' }));
    expect(knownPets.refused()).toEqual([]);
  });

  it('is nothing that was taken, failed or is not ours', () => {
    knownPets.see(creationOf({ id: 1, name: 'pc7 a', categoryId: 1 }));
    knownPets.see(refusal(500, { name: 'pc7 b' }));
    knownPets.see(refusal(400, { name: 'Rex' }));
    knownPets.see(refusal(400, { categoryId: 1 }));
    expect(knownPets.refused()).toEqual([]);
  });

  it.each([
    ['an array around the body', [{ name: 'pc7 a' }], 'pc7 a'],
    ['cut-off JSON', '{"name":"pc7 a","categoryId":1', 'pc7 a'],
    ['a number for a name', { name: 12_345_678 }, '12345678'],
    ['a string that holds JSON', '"{\\"name\\":\\"pc7 a\\"}"', 'pc7 a'],
  ])('is found again in %s', (_what, sent, name) => {
    knownPets.see(refusal(400, sent));
    expect(names(knownPets.refused())).toEqual([name]);
  });

  it('is kept by its category if one animal alone has that, or if the body has nothing', () => {
    knownPets.see(creationOf({ id: 1, name: 'pc7 a', categoryId: 77 }, { purpose: 'unknown category' }));
    knownPets.see(refusal(400, { categoryId: 77 }));
    knownPets.see(refusal(400, { name: true, categoryId: 1 }));
    knownPets.see(refusal(400, 'null'));
    expect(knownPets.refused().map(({ name, category }) => [name, category])).toEqual([
      [undefined, '77'],
      [undefined, undefined],
    ]);
  });

  it('is nothing under the name of an animal that was created', () => {
    knownPets.see(creationOf({ id: 1, name: 'pc7 a', categoryId: 1 }));
    knownPets.see(refusal(409, { name: 'pc7 a', categoryId: 1 }));
    expect(knownPets.refused()).toEqual([]);
  });

  it('is not a number so short that another animal may have it', () => {
    knownPets.see(refusal(400, { name: 7 }));
    expect(knownPets.refused()).toEqual([]);
  });

  it('counts as unauthenticated if no key was sent and it was taken all the same', () => {
    knownPets.see(creationOf({ id: 1, name: 'pc7 guest', categoryId: 1 }, { credential: 'missing' }));
    expect(names(knownPets.unauthenticated())).toEqual(['pc7 guest']);
  });
});

describe('what listings have shown', () => {
  it('is counted, and under a status only what has it', () => {
    knownPets.see(
      listing(
        [
          { id: 1, status: 'sold' },
          { id: 2, status: 'pending' },
        ],
        '/pets?status=sold&limit=2',
      ),
    );
    knownPets.see(listing([{ id: 2, status: 'pending' }]));
    expect([
      knownPets.countListed(),
      knownPets.countListed('sold'),
      knownPets.countListed('pending'),
    ]).toEqual([2, 1, 0]);
    expect(knownPets.known).toBe(2);
  });

  it('is nothing if no listing was received', () => {
    knownPets.see(exchangeOf({ json: { data: [{ id: 1 }] } }));
    knownPets.see(exchangeOf({ status: 404, json: [{ id: 1 }] }));
    knownPets.see(exchangeOf({ text: '[{"id":1}' }));
    expect([knownPets.known, knownPets.countListed()]).toEqual([0, 0]);
  });
});
