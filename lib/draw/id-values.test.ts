import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { int64Examples, int64Value, leastInt64, mostInt64, unlikelyIdentifier } from './values.js';

const isInt64 = (value: bigint): boolean => value >= leastInt64 && value <= mostInt64;

describe('integers', () => {
  it('that are drawn are of 64 bits, and many of them more than a double holds', () => {
    const drawn = fc.sample(int64Value, { numRuns: 500, seed: 1 });
    expect(drawn.every(isInt64)).toBe(true);
    expect(drawn.filter((value) => BigInt(Number(value)) !== value).length).toBeGreaterThan(100);
    expect(drawn.some((value) => value < 0n)).toBe(true);
  });

  it('that are examples show a loss of digits, of a sign, and a zero taken for nothing', () => {
    expect(int64Examples.every(isInt64)).toBe(true);
    expect(int64Examples.slice(0, 4)).toEqual([9007199254740993n, mostInt64, leastInt64, 0n]);
    expect(int64Examples.some((value) => value < 0n && isInt64(-value))).toBe(true);
  });

  it('that nobody has are high and of 64 bits, as are their negatives', () => {
    fc.assert(fc.property(unlikelyIdentifier, (id) => id >= 2n ** 61n && isInt64(id) && isInt64(-id)));
  });
});
