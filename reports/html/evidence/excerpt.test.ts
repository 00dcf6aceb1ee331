import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { excerptOf } from './excerpt.js';

const indices = (count: number, marked: readonly number[] = []) =>
  excerptOf(count, marked).flatMap((part) => ('index' in part ? [part.index] : []));

describe('an excerpt of lines', () => {
  test('is everything where that is short', () => {
    expect(indices(30)).toHaveLength(30);
    expect(indices(0)).toEqual([]);
  });

  test('keeps the surroundings of a marked line far down', () => {
    expect(indices(600, [400])).toEqual(expect.arrayContaining([0, 396, 400, 404, 599]));
    expect(indices(600, [400]).length).toBeLessThan(50);
  });

  test('accounts for every line, shown or counted, in order', () => {
    fc.assert(
      fc.property(fc.nat(2_000), fc.array(fc.nat(2_000)), (count, candidates) => {
        const marked = candidates.filter((index) => index < count).sort((one, other) => one - other);
        let next = 0;
        for (const part of excerptOf(count, marked)) {
          expect('index' in part ? part.index : next).toBe(next);
          next += 'index' in part ? 1 : part.leftOut;
        }
        expect(next).toBe(count);
      }),
    );
  });
});
