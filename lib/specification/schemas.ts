import { z } from 'zod';

/**
 * The resources of section 2 as the judge sees them. Additional properties are fine everywhere: the specification
 * does not close its objects. Values come from `parseJson`, so that an int64 is a `number` or a `bigint`.
 */

const wording = { error: 'an integer of 64 bits (-2^63 to 2^63 - 1)' };

/** An integer from -2^63 to 2^63 - 1 (section 2, format int64). A `number` only where it is exact. */
export const int64 = z.union([z.int(wording), z.int64(wording)], wording);
export type Int64 = z.infer<typeof int64>;

/** An integer of any size: section 2 gives the `status` of an Error no format. */
export const integer = z.union([z.number().refine(Number.isInteger), z.bigint()], { error: 'an integer' });

/** The digits of an int64, for comparing and reporting: `12` and `12n` are both `12`, `-0` is `0`. */
export function int64Text(value: Int64): string {
  return String(value);
}

export const petStatuses = ['available', 'pending', 'sold'] as const;

/** One of the three states, spelt exactly so (sections 2 and 3). */
export const petStatus = z.enum(petStatuses, { error: 'one of `available`, `pending`, `sold`' });
export type PetStatus = z.infer<typeof petStatus>;

const text = z.string({ error: 'a string' });

/** The body that adds an animal (section 2). `status` may be left out; `null` is no PetStatus. */
export const newPet = z.looseObject(
  { name: text, categoryId: int64, status: petStatus.exactOptional() },
  { error: 'a JSON object' },
);
export type NewPet = z.infer<typeof newPet>;

/** An animal as the service returns it (section 2). */
export const pet = newPet.extend({ id: int64 });
export type Pet = z.infer<typeof pet>;

/** A listing: a bare array (sections 2 and 4.1). */
export const pets = z.array(pet, { error: 'a JSON array' });
export type Pets = z.infer<typeof pets>;

/** The body of a 400, 401 and 404 (sections 2 and 7). */
export const errorBody = z.looseObject(
  { code: text, message: text, status: integer },
  { error: 'a JSON object' },
);
export type ErrorBody = z.infer<typeof errorBody>;

/** The response bodies that the specification gives a shape, by their names in section 2. */
export const bodySchemas = { Pet: pet, Pets: pets, Error: errorBody } as const;
export type BodyKind = keyof typeof bodySchemas;
