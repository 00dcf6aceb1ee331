import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Draw, seedFor } from './seeded.js';

const numbers = (seed: number, purpose: string): number[] => new Draw(seed, purpose).some(fc.nat(), 20);

describe('what is drawn', () => {
  it('is the same for the same seed and purpose, and something else for another', () => {
    expect(numbers(1, 'CREATE-13')).toEqual(numbers(1, 'CREATE-13'));
    expect(numbers(1, 'CREATE-13')).not.toEqual(numbers(2, 'CREATE-13'));
    expect(numbers(1, 'CREATE-13')).not.toEqual(numbers(1, 'CREATE-12'));
  });

  it('is something else each time that one purpose draws', () => {
    const draw = new Draw(1, 'CREATE-13');
    expect(draw.some(fc.nat(), 20)).not.toEqual(draw.some(fc.nat(), 20));
  });

  it('does not depend on how much was drawn before in one go', () => {
    const [one, other] = [new Draw(1, 'A'), new Draw(1, 'A')];
    one.some(fc.nat(), 1);
    other.some(fc.nat(), 500);
    expect(one.some(fc.nat(), 5)).toEqual(other.some(fc.nat(), 5));
  });
});

describe('a seed made of a seed and a purpose', () => {
  it('is 32 bits', () => {
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 32 - 1 }), fc.string(), (seed, purpose) => {
        const made = seedFor(seed, purpose);
        return Number.isInteger(made) && made >= -(2 ** 31) && made < 2 ** 31;
      }),
    );
  });

  it('differs for seeds that are close together', () => {
    const seeds = Array.from({ length: 2_000 }, (_seed, seed) => seedFor(seed, 'marker 0'));
    expect(new Set(seeds).size).toBe(seeds.length);
  });
});
