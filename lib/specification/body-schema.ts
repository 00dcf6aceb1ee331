import { z } from 'zod';

/**
 * The resources of section 2. Additional properties are allowed: the specification does not close its objects. Values
 * come from `parseJson`, so an int64 is a `number` or a `bigint`.
 */

const wording = { error: 'an integer of 64 bits (-2^63 to 2^63 - 1)' };

/** An integer from -2^63 to 2^63 - 1 (section 2, format int64). A `number` must be exact. */
export const int64 = z.union([z.int(wording), z.int64(wording)], wording);

/** An integer of any size, such as the `status` of an Error, which has no format in section 2. */
const integer = z.union([z.number().refine(Number.isInteger), z.bigint()], { error: 'an integer' });

export const petStatuses = ['available', 'pending', 'sold'] as const;

/** One of the three states, in exactly this spelling (sections 2 and 3). */
const petStatus = z.enum(petStatuses, { error: 'one of `available`, `pending`, `sold`' });
export type PetStatus = z.infer<typeof petStatus>;

const text = z.string({ error: 'a string' });

/** The body that adds an animal (section 2). `status` may be absent, but not null. */
const newPet = z.looseObject(
  { name: text, categoryId: int64, status: petStatus.exactOptional() },
  { error: 'a JSON object' },
);

/** An animal as the service returns it (section 2). */
const pet = newPet.extend({ id: int64 });

/** A listing: a bare array (sections 2 and 4.1). */
const pets = z.array(pet, { error: 'a JSON array' });

/** The body of a 400, 401 and 404 (sections 2 and 7). */
export const errorBody = z.looseObject(
  { code: text, message: text, status: integer },
  { error: 'a JSON object' },
);

/** The response bodies that section 2 specifies, by their names. */
export const bodySchemas = { Pet: pet, Pets: pets, Error: errorBody } as const;
export type BodyKind = keyof typeof bodySchemas;
