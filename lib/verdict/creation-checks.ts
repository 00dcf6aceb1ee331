import type { Evidence } from '../evidence/evidence.js';
import { isSameValue, valueText } from '../evidence/animal.js';
import { petFields, type Exchange } from '../evidence/exchange.js';
import type { Pet, Showing } from '../evidence/pets.js';
import { petStatuses } from '../specification/body-schema.js';
import { answers, check, failed, left, open, passed, type Check, type Checks } from './check.js';

export type Field = (typeof petFields)[number];

/**
 * Checks that a response has one of these statuses, and shows an animal with an identifier.
 * @param what names the request
 * @param compared the fields that must come back as they were sent
 */
export function* showsPet(
  one: Exchange,
  what: string,
  expected: readonly number[],
  compared: readonly Field[] = [],
): Checks {
  const status = answers(one, expected, what);
  yield status;
  const { failure, response, members, created } = one;
  const { bytes = 0, truncated } = response?.body ?? {};
  if (status === passed) {
    if (failure) yield open(`${what}: ${failure.message}`, 'ROBUST-01');
    else if (truncated) yield open(`${what}: the body of the response is not recorded`);
    else if (!one.parsed.ok && bytes > 0) yield left('MEDIA-01', what);
    else
      yield check(one.animal !== undefined, one, () => ({
        message: `${what}: the response has no Pet with an \`id\``,
        expected: 'a Pet',
        fact: { kind: 'body', form: 'Pet', field: '' },
      }));
  }
  if (!created) return;
  for (const field of compared)
    if (field in members)
      yield check(isSameValue(members[field], created.shown[field]), one, () => ({
        message: `the created Pet does not have the \`${field}\` that was sent`,
        expected: valueText(members[field]),
        received: valueText(created.shown[field]),
        pointer: `/${field}`,
      }));
}

/** Whether a value is of the type of its field: one of another type is for PET-01 and PET-02 to judge. */
const isOfType: Readonly<Record<Field, (value: unknown) => boolean>> = {
  name: (value) => typeof value === 'string',
  categoryId: (value) => typeof value === 'number' || typeof value === 'bigint',
  status: (value) => petStatuses.some((status) => status === value),
};

/** Checks that a field that a creation returned as it was sent is shown so by getPet and in listings, too. */
export function* kept({ pets }: Evidence, field: Field): Checks {
  for (const pet of pets.created.values())
    if (pet.isOwn && field in pet.creation.members)
      for (const showing of pet.showings)
        if (isOfType[field](showing.animal.shown[field])) yield shownAsCreated(pet, showing, [field]);
}

/**
 * Checks that an animal is shown as its creation returned it: each field the same, 64-bit integers digit by digit. A field
 * that the creation did not return as it was sent is passed over: that is a finding of the creation. Others that a target
 * adds may change between responses.
 */
export function shownAsCreated(
  { creation, animal }: Pet,
  { animal: { id, shown }, by, times }: Omit<Showing, 'since'>,
  fields: readonly Field[] = petFields,
): Check {
  const { members, operation } = creation;
  const field = fields.find((one) => {
    const returned = animal.shown[one];
    if (isSameValue(returned, shown[one])) return false;
    // The status after its omission is not specified: the creation need not return it.
    return one in members ? isSameValue(members[one], returned) : one !== 'status' || returned !== undefined;
  });
  if (field === undefined) return passed;
  const place = by.operation === 'listPets' ? 'the listing' : 'getPet';
  const source = operation === 'listPets' ? 'the listing showed' : 'the creation returned';
  const received = shown[field] === undefined ? `no \`${field}\`` : valueText(shown[field]);
  return failed([creation, by], {
    message: `${place} shows another \`${field}\` than ${source}`,
    expected: `${valueText(animal.shown[field])} for \`id\` ${animal.id}`,
    received: `${received} for \`id\` ${id}`,
    pointer: `/${field}`,
    occurrences: times,
  });
}
