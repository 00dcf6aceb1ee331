import { beforeEach, describe, expect, it } from 'vitest';
import { creationOf, exchangeOf, type Sketch } from '../verdict/testing/exchange.js';
import { Herd } from './herd.js';

let herd: Herd;
beforeEach(() => {
  herd = new Herd(() => 'pc7');
});

const refusal = (status: number, sent: unknown, sketch: Sketch = {}) =>
  exchangeOf({ operation: 'createPet', method: 'POST', status, sent, ...sketch });
const listing = (animals: readonly unknown[], path = '/pets') => exchangeOf({ json: animals, path });
const names = (refusals: ReturnType<Herd['refused']>): string[] => refusals.map(({ name }) => name);

describe('what the run created', () => {
  it('is known by its identifier, and listable', () => {
    herd.see(creationOf({ id: 9223372036854775807n, name: 'pc7 a', categoryId: 1, status: 'sold' }));
    expect(herd.isKnown('9223372036854775807')).toBe(true);
    expect(herd.listable('sold').map(({ animal }) => animal.id)).toEqual(['9223372036854775807']);
    expect(herd.listable('pending')).toEqual([]);
    expect([herd.known, herd.countCreated('sold'), herd.countCreated('pending')]).toEqual([1, 1, 0]);
  });

  it('is not listable where a probe tries to change it', () => {
    herd.see(creationOf({ id: 1, name: 'pc7 a', categoryId: 1 }, { purpose: 'CREATE-14' }));
    herd.see(creationOf({ id: 2, name: 'pc7 b', categoryId: 1 }, { purpose: 'ROBUST-02' }));
    expect(herd.listable()).toEqual([]);
    expect(herd.known).toBe(2);
  });

  it('is ambiguous where two creations gave one identifier', () => {
    herd.see(creationOf({ id: 1, name: 'pc7 a', categoryId: 1 }));
    expect(herd.isAmbiguous('1')).toBe(false);
    herd.see(creationOf({ id: 1, name: 'pc7 b', categoryId: 1 }));
    expect(herd.isAmbiguous('1')).toBe(true);
  });

  it('is left over, with what a listing shows of ours', () => {
    herd.see(creationOf({ id: 1, name: 'pc7 a', categoryId: 1 }));
    herd.see(
      listing([
        { id: 1, name: 'pc7 a' },
        { id: 2, name: 'pc7 lost' },
        { id: 3, name: 'Resident' },
      ]),
    );
    expect(herd.leftovers()).toEqual([
      { id: '1', name: 'pc7 a' },
      { id: '2', name: 'pc7 lost' },
    ]);
  });

  it('is left over by the name that was sent where the answer shows none', () => {
    herd.see(creationOf({ id: 1, name: 'pc7 a' }, { json: { id: 1 } }));
    expect(herd.leftovers()).toEqual([{ id: '1', name: 'pc7 a' }]);
  });
});

describe('what was refused', () => {
  it('is kept by its name, apart from what was refused for the key', () => {
    herd.see(refusal(400, { name: 'pc7 bad' }));
    herd.see(refusal(401, { name: 'pc7 guest' }, { credential: 'missing' }));
    expect(names(herd.refused())).toEqual(['pc7 bad']);
    expect(names(herd.unauthenticated())).toEqual(['pc7 guest']);
  });

  it('is nothing that the limiter refused, as the same is sent again', () => {
    herd.see(refusal(429, { name: 'pc7 a' }));
    expect([herd.refused(), herd.unauthenticated()]).toEqual([[], []]);
  });

  it('is nothing that went before under the same name and broke off: it may have been taken', () => {
    herd.see(refusal(200, { name: 'pc7 a' }, { status: null, failure: 'reset' }));
    herd.see(refusal(409, { name: 'pc7 a' }));
    expect(herd.refused()).toEqual([]);
  });

  it('is nothing that was taken, failed or is not ours', () => {
    herd.see(creationOf({ id: 1, name: 'pc7 a', categoryId: 1 }));
    herd.see(refusal(500, { name: 'pc7 b' }));
    herd.see(refusal(400, { name: 'Rex' }));
    herd.see(refusal(400, { categoryId: 1 }));
    expect(herd.refused()).toEqual([]);
  });

  it.each([
    ['an array around the body', [{ name: 'pc7 a' }], 'pc7 a'],
    ['cut-off JSON', '{"name":"pc7 a","categoryId":1', 'pc7 a'],
    ['a number for a name', { name: 12_345_678 }, '12345678'],
  ])('is found again in %s', (_what, sent, name) => {
    herd.see(refusal(400, sent));
    expect(names(herd.refused())).toEqual([name]);
  });

  it('is no number so short that another animal may have it', () => {
    herd.see(refusal(400, { name: 7 }));
    expect(herd.refused()).toEqual([]);
  });

  it('counts as unauthenticated where no key was sent and it was taken all the same', () => {
    herd.see(creationOf({ id: 1, name: 'pc7 guest', categoryId: 1 }, { credential: 'missing' }));
    expect(names(herd.unauthenticated())).toEqual(['pc7 guest']);
  });
});

describe('what listings have shown', () => {
  it('is counted, and under a status only what has it', () => {
    herd.see(
      listing(
        [
          { id: 1, status: 'sold' },
          { id: 2, status: 'pending' },
        ],
        '/pets?status=sold&limit=2',
      ),
    );
    herd.see(listing([{ id: 2, status: 'pending' }]));
    expect([herd.countListed(), herd.countListed('sold'), herd.countListed('pending')]).toEqual([2, 1, 0]);
    expect(herd.known).toBe(2);
  });

  it('is nothing where no listing came', () => {
    herd.see(exchangeOf({ json: { data: [{ id: 1 }] } }));
    herd.see(exchangeOf({ status: 404, json: [{ id: 1 }] }));
    herd.see(exchangeOf({ text: '[{"id":1}' }));
    expect([herd.known, herd.countListed()]).toEqual([0, 0]);
  });
});
