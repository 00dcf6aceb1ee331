import { beforeEach, describe, expect, it } from 'vitest';
import { creationOf, exchangeOf } from '../verdict/testing/exchange.js';
import { KnownPets } from './known-pets.js';

let knownPets: KnownPets;
beforeEach(() => {
  knownPets = new KnownPets(() => 'pc7');
});

const listing = (animals: readonly unknown[], path = '/pets') => exchangeOf({ json: animals, path });

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
