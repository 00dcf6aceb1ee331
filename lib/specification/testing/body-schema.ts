import { z } from 'zod';
import { isInt64, petStatuses, type BodyKind } from '../body-schema.js';
import { jsonPointer } from '../json-value.js';

/**
 * The resources of section 2, written by hand a second time: a witness beside the interface description. Additional
 * properties are allowed: the specification does not close its objects.
 */

/** An integer of 64 bits: a `number` must be exact. */
const int64 = z.custom<number | bigint>(isInt64);
/** An integer of any size, such as the `status` of an Error, which has no format in section 2. */
const integer = z.union([z.number().refine(Number.isInteger), z.bigint()]);

/** The body that adds an animal. `status` may be absent, but not null. */
const newPet = z.looseObject({
  name: z.string(),
  categoryId: int64,
  status: z.enum(petStatuses).exactOptional(),
});

/** An animal as the service returns it. */
const pet = newPet.extend({ id: int64 });

/** The body of a 400, 401 and 404 (section 7). */
const errorBody = z.looseObject({ code: z.string(), message: z.string(), status: integer });

/** The response bodies that section 2 specifies, by their names. */
export const bodySchemas = {
  Pet: pet,
  Pets: z.array(pet),
  Error: errorBody,
} as const satisfies Record<BodyKind, unknown>;

/** The JSON pointers at which a body is not as section 2 specifies it. */
export function schemaProblems(kind: BodyKind, value: unknown): string[] {
  const { error } = bodySchemas[kind].safeParse(value);
  return (error?.issues ?? []).map(({ path }) => jsonPointer(path));
}
