import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mixOf, operationsOf } from './load-operations.js';

describe('a mix', () => {
  it('names operations with their shares', () => {
    expect(mixOf('listPets:8,createPet:1,getPet:1')).toEqual({ listPets: 8, createPet: 1, getPet: 1 });
    expect(mixOf('listpets')).toEqual({ listPets: 1 });
  });

  it.each(['deletePet:1', 'listPets:1,listPets:2', 'listPets:x', 'listPets:0', 'listPets:1:2', ''])(
    'is not %j',
    (text) => {
      expect(mixOf(text)).toBeUndefined();
    },
  );

  it('is sent in its shares, each operation as evenly spread as its share allows', () => {
    const share = fc.integer({ min: 0, max: 20 });
    fc.assert(
      fc.property(fc.record({ listPets: share, createPet: share, getPet: share }), (mix) => {
        const total = mix.listPets + mix.createPet + mix.getPet;
        fc.pre(total > 0);
        const operation = operationsOf(mix);
        const turns = Array.from({ length: total * 2 }, (_, index) => operation(index));
        for (const [name, count] of Object.entries(mix)) {
          const places = turns.flatMap((turn, place) => (turn === name ? [place] : []));
          expect(places).toHaveLength(2 * count);
          const gaps = places.slice(1).map((place, index) => place - (places[index] ?? 0));
          const evenly = count === 0 ? 0 : 2 * Math.ceil(total / count);
          expect(Math.max(0, ...gaps)).toBeLessThanOrEqual(evenly);
        }
      }),
    );
  });
});
