import { z } from 'zod';

/** What the interface description can't say, or says of values alone (sections 2 and 3). */

/**
 * An integer from -2^63 to 2^63 - 1 (section 2, format int64). A `number` must be exact. Values come from `parseJson`, so
 * an int64 is a `number` or a `bigint`.
 */
export const int64 = z.union([z.int(), z.int64()]);

export const petStatuses = ['available', 'pending', 'sold'] as const;

/** One of the three states, in exactly this spelling. */
export type PetStatus = (typeof petStatuses)[number];

/** The response bodies that section 2 specifies, by their names. */
export type BodyKind = 'Pet' | 'Pets' | 'Error';
