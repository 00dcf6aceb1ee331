/** What the interface description can't say, or says of values alone (sections 2 and 3). */

/**
 * Whether a value of `parseJson` is an integer from -2^63 to 2^63 - 1 (section 2, format int64). A `number` must be exact.
 */
export function isInt64(value: unknown): value is number | bigint {
  return typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value);
}

export const petStatuses = ['available', 'pending', 'sold'] as const;

/** One of the three states, in exactly this spelling. */
export type PetStatus = (typeof petStatuses)[number];

/** The response bodies that section 2 specifies, by their names. */
export type BodyKind = 'Pet' | 'Pets' | 'Error';
