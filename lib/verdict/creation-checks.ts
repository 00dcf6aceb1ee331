import type { Evidence } from '../evidence/evidence.js';
import { alterationOf } from './alteration.js';
import { isSameValue, valueText } from '../evidence/animal.js';
import { petFields, type Exchange } from '../evidence/exchange.js';
import type { Pet, Showing } from '../evidence/pets.js';
import { answers, check, failed, left, open, passed, type Check, type Checks } from './check.js';
import type { Failure } from './judgement.js';

export type Field = (typeof petFields)[number];

/** Checks that a response has one of these statuses, and shows an animal with an identifier. @param what names the request */
export function* showsPet(one: Exchange, what: string, expected: readonly number[]): Checks {
  const status = answers(one, expected, what);
  yield status;
  if (status !== passed) return;
  const { failure, response } = one;
  const { bytes = 0, truncated } = response?.body ?? {};
  if (failure) yield left('ROBUST-01', `${what}: ${failure.message}`);
  else if (truncated) yield open(`${what}: the body of the response is not recorded`);
  else if (!one.parsed.ok && bytes > 0) yield left('MEDIA-01', what);
  else
    yield check(one.animal !== undefined, one, () => ({
      message: `${what}: the response has no Pet with an \`id\``,
      expected: 'a Pet',
      fact: { kind: 'body', form: 'Pet', field: '' },
    }));
}

/**
 * The failure of a field that is shown with another value than it had: what was done to it tells one defect from another.
 * @param message is given what was done, if that can be told: `HTML-escaped`
 */
export function otherValue(
  field: Field,
  [wanted, shown]: readonly [wanted: unknown, shown: unknown],
  message: (alteration: string | undefined) => string,
): Failure {
  const alteration = alterationOf(wanted, shown);
  return {
    message: message(alteration),
    expected: valueText(wanted),
    received: valueText(shown),
    pointer: `/${field}`,
    fact: { kind: 'value', field, value: alteration ?? 'another' },
  };
}

/** Checks that the fields that were sent come back from the creation as they were sent. */
export function* comesBackAsSent(one: Exchange, compared: readonly Field[]): Checks {
  const { members, animal } = one;
  if (!animal) return;
  const isChanged = (field: Field): boolean =>
    field in members && !isSameValue(members[field], animal.shown[field]);
  const field = compared.find(isChanged) ?? 'name';
  const message = `the created Pet does not have the \`${field}\` that was sent`;
  yield check(!compared.some(isChanged), one, () =>
    otherValue(field, [members[field], animal.shown[field]], () => message),
  );
}

/**
 * Checks that a field that a creation returned as it was sent is shown so by getPet and in listings, too.
 * @param isComparable whether a value that is shown can be compared; one of another type is for others to judge
 */
export function* kept(
  { pets }: Evidence,
  field: Field,
  isComparable: (shown: unknown) => boolean,
): Iterable<Check> {
  for (const { id, isOwn, creation, animal, showings } of pets.created.values()) {
    const sent = creation.members[field];
    if (!isOwn || !(field in creation.members) || !isSameValue(sent, animal.shown[field])) continue;
    const isAsSent = (one: Showing): boolean => isSameValue(sent, one.animal.shown[field]);
    const got = showings.find((one) => one.by.operation === 'getPet' && isAsSent(one));
    for (const one of showings.filter(({ animal: { shown } }) => isComparable(shown[field]))) {
      const { by, times } = one;
      const place = by.operation === 'listPets' ? 'a listing' : 'getPet';
      // Whether showing it is what changes it shows in this order, too.
      yield check(isAsSent(one), [creation, ...(got ? [got.by] : []), by], () => ({
        ...otherValue(
          field,
          [sent, one.animal.shown[field]],
          (alteration = 'is another') =>
            `\`${field}\` comes back from its creation${got ? ' and from getPet' : ''} as it was sent, and ${alteration} in ${place}`,
        ),
        expected: `${valueText(sent)} for \`id\` ${id}`,
        occurrences: times,
      }));
    }
  }
}

/**
 * Checks that an animal is shown as its creation returned it: each field the same, 64-bit integers digit by digit. A field
 * that the creation did not return as it was sent is passed over: that is a finding of the creation. Others that a target
 * adds may change between responses.
 * @param place what shows it: `the listing`
 */
export function shownAsCreated(
  { creation, animal }: Pet,
  { animal: { id, shown }, by, times }: Showing,
  place: string,
): Check {
  const { members, operation } = creation;
  const field = petFields.find((one) => {
    const returned = animal.shown[one];
    if (isSameValue(returned, shown[one])) return false;
    // The status after its omission is not specified: the creation need not return it.
    return one in members ? isSameValue(members[one], returned) : one !== 'status' || returned !== undefined;
  });
  if (field === undefined) return passed;
  const source = operation === 'listPets' ? 'the listing showed' : 'the creation returned';
  const [wanted, received] = [animal.shown[field], shown[field]];
  return failed([creation, by], {
    ...otherValue(field, [wanted, received], () => `${place} shows another \`${field}\` than ${source}`),
    expected: `${valueText(wanted)} for \`id\` ${animal.id}`,
    received: `${received === undefined ? `no \`${field}\`` : valueText(received)} for \`id\` ${id}`,
    occurrences: times,
  });
}
