import { describeAnimal, isSameValue, petFields, valueText, type Animal } from '../evidence/animal.js';
import type { Evidence } from '../evidence/evidence.js';
import type { Exchange } from '../evidence/exchange.js';
import type { Pet, RefusedCreation, Showing } from '../evidence/pets.js';
import { bodyProblems, type BodyProblem } from '../specification/body-problem.js';
import { petStatuses, type BodyKind } from '../specification/body-schema.js';
import {
  check,
  failed,
  left,
  open,
  passed,
  wrongHeader,
  type Check,
  type Checks,
  type Failure,
} from './check.js';

/** What a rule can expect of a response, and of what it leaves behind. */

/**
 * What of a response belongs to others: 401 for the valid key is AUTH-04's, a response that is broken or missing is
 * ROBUST-01's. (A 429 is nobody's: no selection holds one.) Undefined if a rule may judge it.
 * @param what names the request: `a body without "name"`
 */
export function unanswered(
  { status, credential, broken, failure }: Exchange,
  what: string,
): Check | undefined {
  if (status === 401 && credential === 'valid') return open('the valid key was refused with 401', 'AUTH-04');
  if (broken === undefined && status !== undefined) return undefined;
  return open(`${what}: ${broken ?? failure?.message ?? ''}`, 'ROBUST-01');
}

/** Checks the status of a response. @param what names the request, as above */
export function answers(one: Exchange, expected: number | readonly number[], what: string): Check {
  const statuses = [expected].flat();
  const { status = 0 } = one;
  return (
    unanswered(one, what) ??
    check(statuses.includes(status), one, () => ({
      message: `${what}: got ${status}, expected ${statuses.join(' or ')}`,
      expected: statuses.join(' or '),
      // What a listing shows says nothing of its status.
      received: one.length === undefined ? String(one) : `${status} with a listing`,
      fact: { kind: 'status', expected: statuses },
    }))
  );
}

/** What keeps the body of a response from being read; undefined if nothing does. */
export function unread({ failure, response }: Exchange, what: string): Check | undefined {
  if (failure) return open(`${what}: ${failure.message}`, 'ROBUST-01');
  return response?.body.truncated ? open(`${what}: the body of the response is not recorded`) : undefined;
}

/** Checks a header of a response. `failure` is what a finding says if it does not hold; by default what came is received. */
export function checkHeader(
  holds: boolean,
  one: Exchange,
  name: string,
  failure: Pick<Failure, 'message' | 'expected' | 'received'>,
): Check {
  return check(holds, one, () => {
    const values = one.headers(name);
    const received = values.map((value) => `${name}: ${value}`).join(', ') || `no ${name} header`;
    // Another value is another defect.
    const fact = { ...wrongHeader(name, values), value: values.length > 0 ? values.join(', ') : undefined };
    return { received, ...failure, fact };
  });
}

/** Checks that a body is an Error as section 2 specifies it. */
export function* hasErrorBody(one: Exchange): Checks {
  const subject = `${one.operationName}'s ${one.status ?? ''} body`;
  const problems = bodyProblems('Error', one.json);
  const missing = problems.filter(({ received }) => received === 'absent');
  // An object that has nothing of an Error is of another form: that it lacks a `code` would be half of the news.
  if (problems[0]?.property === '' || missing.length === 3)
    yield failed(one, {
      message: `${subject} is not an Error object`,
      expected: 'an Error object: `code`, `message` and `status` (openapi.json#/components/schemas/Error)',
      fact: { kind: 'body', form: 'Error', field: '' },
    });
  else yield* hasForm(one, 'Error', subject);
}

/**
 * Checks a body by its schema in the published interface description.
 * @param subject the body, or what it shows: `an animal`
 * @param isOwn the problems that are the requirement's
 */
export function* hasForm(
  one: Exchange,
  form: BodyKind,
  subject: string,
  isOwn: (problem: BodyProblem) => boolean = () => true,
): Checks {
  const problems = bodyProblems(form, one.json).filter(isOwn);
  if (problems.length === 0) yield passed;
  for (const { property, expected, received, pointer, described } of problems) {
    const isMissing = received === 'absent';
    // It may have become too large without having been an integer of 64 bits before.
    const isBeyond = ['id', 'categoryId'].includes(property) && /^-?\d+$/.test(received);
    const value = isMissing ? 'absent' : isBeyond ? 'beyond int64' : undefined;
    const named = property === '' ? subject : `the \`${property}\` of ${subject}`;
    yield failed(one, {
      message: isMissing
        ? `${subject} has no \`${property}\``
        : `${named} is ${isBeyond ? value : `not ${expected}`}`,
      expected: `${expected} (${described})`,
      received: isMissing && form !== 'Pets' ? undefined : received,
      pointer,
      fact: { kind: 'body', form: form === 'Pets' ? 'Pet' : form, field: property, value },
    });
  }
}

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
  const { response, members, created } = one;
  const isJson = one.parsed.ok || response?.body.bytes === 0;
  if (status === passed)
    yield (
      unread(one, what) ??
      (isJson
        ? check(one.animal !== undefined, one, () => ({
            message: `${what}: the response has no Pet with an \`id\``,
            expected: 'a Pet',
            fact: { kind: 'body', form: 'Pet', field: '' },
          }))
        : left('MEDIA-01', what))
    );
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
  for (const pet of pets.own)
    if (field in pet.creation.members)
      for (const showing of [...pet.listed, ...pet.fetched])
        if (isOfType[field](showing.animal.shown[field])) yield shownAsCreated(pet, showing, [field]);
}

/**
 * Checks that an animal is shown as its creation returned it: the identifier and each field the same, 64-bit integers digit
 * by digit. A field that the creation did not return as it was sent is passed over: that is a finding of the creation.
 * Others that a target adds may change between responses.
 */
export function shownAsCreated(
  { creation, animal }: Pet,
  { animal: shown, by, times }: Showing,
  fields: readonly Field[] = petFields,
): Check {
  const { members, operation } = creation;
  const other = fields.find((one) => {
    const returned = animal.shown[one];
    if (isSameValue(returned, shown.shown[one])) return false;
    // The status after its omission is not specified: the creation need not return it.
    return one in members ? isSameValue(members[one], returned) : one !== 'status' || returned !== undefined;
  });
  const field = shown.id === animal.id ? other : 'id';
  if (field === undefined) return passed;
  const place = by.operation === 'listPets' ? 'the listing' : 'getPet';
  const source = operation === 'listPets' ? 'the listing showed' : 'the creation returned';
  const textOf = (one: Animal): string =>
    `\`id\` ${one.id}${field === 'id' ? '' : `, \`${field}\` ${valueText(one.shown[field])}`}`;
  return failed([creation, by], {
    message: `${place} shows another \`${field}\` than ${source}`,
    expected: textOf(animal),
    received: textOf(shown),
    pointer: `/${field}`,
    occurrences: times,
  });
}

const longestBody = 160;

/**
 * Checks that refused creations have left no animal in any listing. If no listing shows an animal that was created after
 * them, there is no judgement.
 * @param commandOf shows one that was left again; by default both requests in turn
 */
export function* leaveNothing(
  { pets }: Evidence,
  refusals: readonly RefusedCreation[],
  message: string,
  commandOf?: (creation: Exchange, listing: Exchange) => string,
): Checks {
  const isControlled = refusals.some(({ creation }) => pets.isListedAfter(creation));
  for (const { creation, left: listed } of refusals) {
    const { body = '' } = creation.request;
    if (listed)
      yield failed([creation, listed.by], {
        message,
        expected: `no animal of what was sent${body === '' ? '' : `: ${body.slice(0, longestBody)}${body.length > longestBody ? '…' : ''}`}`,
        received: `${describeAnimal(listed.animal)} is listed, though the response was ${creation.status ?? 'without a status'}`,
        ...(commandOf && { reproduce: commandOf(creation, listed.by) }),
      });
    else if (pets.isListedAfter(creation)) yield passed;
    else if (!isControlled)
      yield open(
        'no page showed an animal that was created after the refused ones. Empty the store, and run again',
      );
  }
}
