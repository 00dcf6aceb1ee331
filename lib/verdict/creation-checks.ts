import type { Evidence } from '../evidence/evidence.js';
import { alterationOf } from './alteration.js';
import { valueText } from '../evidence/animal.js';
import type { FactOfFailure } from '../evidence/record/fact.js';
import type { Exchange, petFields } from '../evidence/exchange.js';
import type { Showing } from '../evidence/pets.js';
import { reproduceInTurn } from './reproduce.js';
import { answers, check, left, open, passed, type Check, type Checks } from './check.js';

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
      received: String(one),
      fact: { kind: 'body', form: 'Pet', field: '' },
    }));
}

/** The fact of a field that comes back with another value: what was done to it tells one defect from another. */
export function changedValue(field: string, alteration = 'another'): FactOfFailure {
  return { kind: 'value', field, value: alteration };
}

/** Checks that the fields that were sent come back from the creation as they were sent. */
export function* comesBackAsSent(one: Exchange, compared: readonly Field[]): Checks {
  const { members } = one;
  const shown = one.animal?.shown;
  if (!shown) return;
  const differing = compared.find(
    (field) => field in members && valueText(members[field]) !== valueText(shown[field]),
  );
  yield check(differing === undefined, one, () => ({
    message: `the created Pet does not have the \`${differing ?? ''}\` that was sent`,
    expected: valueText(members[differing ?? '']),
    received: valueText(shown[differing ?? '']),
    pointer: `/${differing ?? ''}`,
    fact: changedValue(differing ?? '', alterationOf(members[differing ?? ''], shown[differing ?? ''])),
  }));
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
    const { members } = creation;
    const sent = valueText(members[field]);
    if (!isOwn || !(field in members) || sent !== valueText(animal.shown[field])) continue;
    const isAsSent = (one: Showing): boolean => valueText(one.animal.shown[field]) === sent;
    const got = showings.find((one) => one.by.operation === 'getPet' && isAsSent(one));
    for (const one of showings) {
      const { by, times } = one;
      const value = one.animal.shown[field];
      const place = by.operation === 'listPets' ? 'a listing' : 'getPet';
      if (isComparable(value))
        yield check(isAsSent(one), [creation, ...(got ? [got.by] : []), by], () => ({
          message: `\`${field}\` comes back from its creation${got ? ' and from getPet' : ''} as it was sent, and ${alterationOf(members[field], value) ?? 'is another'} in ${place}`,
          expected: `${sent} for \`id\` ${id}`,
          received: valueText(value),
          // Whether showing it is what changes it shows in this order, too.
          reproduce: reproduceInTurn([creation, ...(got ? [got.by] : []), by]),
          pointer: `/${field}`,
          occurrences: times,
        }));
    }
  }
}
