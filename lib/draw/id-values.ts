import * as fc from 'fast-check';

export const leastInt64 = -(2n ** 63n);
export const mostInt64 = 2n ** 63n - 1n;

/** Any int64 (section 2); the ends, and the edge of a double's exact integers, more often than by chance. */
export const int64Value: fc.Arbitrary<bigint> = fc.oneof(
  fc.bigInt({ min: leastInt64, max: mostInt64 }),
  fc.bigInt({ min: 2n ** 53n - 4n, max: 2n ** 53n + 4n }),
  fc.bigInt({ min: mostInt64 - 1_000n, max: mostInt64 }),
  fc.bigInt({ min: -(2n ** 31n) - 2n, max: 2n ** 31n + 2n }),
);

/** Values of `categoryId` that show lost digits, a lost sign, or a zero treated as absent. */
export const int64Examples: readonly bigint[] = [
  9007199254740993n,
  mostInt64,
  leastInt64,
  0n,
  -9007199254740993n,
];

/** An identifier that almost certainly no animal has: high, and not round. */
export const unlikelyIdentifier: fc.Arbitrary<bigint> = fc.bigInt({
  min: 2n ** 61n,
  max: mostInt64 - 1_000n,
});
