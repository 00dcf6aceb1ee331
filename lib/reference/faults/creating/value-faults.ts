import { LosslessNumber } from 'lossless-json';
import type { Behaviour } from '../../behaviour.js';
import { withBehaviour } from '../../changes.js';
import { isPetStatus, type PetStatus } from '../../operations/animal.js';
import { isInt64, throughDouble } from '../../operations/integers.js';
import { Refusal } from '../../operations/refused-request.js';
import type { Fault } from '../fault.js';

type Check = 'checkName' | 'checkCategoryId' | 'checkStatus';

/** Accepts values that are not allowed in a field; of others `read` returns undefined. */
function accepting<Field extends Check>(
  field: Field,
  read: (value: unknown) => ReturnType<Behaviour[Field]> | undefined,
): Fault['options'] {
  return withBehaviour((behaviour) => ({
    [field]: (value: unknown) => read(value) ?? behaviour[field](value),
  }));
}

function keepingNames(change: (name: string) => string): Fault['options'] {
  return withBehaviour(({ checkName }) => ({ checkName: (value) => change(checkName(value)) }));
}

function keepingCategories(change: (category: bigint) => bigint): Fault['options'] {
  return withBehaviour(({ checkCategoryId }) => ({
    checkCategoryId: (value) => change(checkCategoryId(value)),
  }));
}

/** Refuses a body with this status, or without one. */
function refusingStatus(refused: PetStatus | undefined): Fault['options'] {
  return withBehaviour(({ checkStatus }) => ({
    checkStatus(value) {
      if (value === refused) throw new Refusal('invalid-body', 'The field "status" is not valid.', 'status');
      return checkStatus(value);
    },
  }));
}

/** Shows a status that there is not if an animal was created without one. */
function showingOmittedStatus(status: string | null): Fault['options'] {
  return withBehaviour(({ show }) => ({
    statusWhenOmitted: () => undefined,
    show(animal, place) {
      const shown = show(animal, place) as Readonly<Record<string, unknown>>;
      return animal.status === undefined ? { ...shown, status } : shown;
    },
  }));
}

/** How the fields of a body are read and kept: CREATE-02, CREATE-05 to CREATE-09, CREATE-12, CREATE-13, PET-02. */
export const valueFaults: readonly Fault[] = [
  {
    name: 'name-optional',
    title: 'An animal without a name is stored under an empty one',
    breaks: ['CREATE-05'],
    options: accepting('checkName', (value) => (value === undefined ? '' : undefined)),
  },
  {
    name: 'name-may-be-a-number',
    title: 'A number is accepted as a name',
    breaks: ['CREATE-07'],
    options: accepting('checkName', (value) => (typeof value === 'bigint' ? String(value) : undefined)),
  },
  {
    name: 'name-may-be-null',
    title: 'null is accepted as a name, and stored as an empty one',
    breaks: ['CREATE-07'],
    options: accepting('checkName', (value) => (value === null ? '' : undefined)),
  },
  {
    name: 'name-may-be-false',
    title: 'A falsy name is taken for a missing one, so that false becomes an empty name',
    breaks: ['CREATE-07'],
    options: accepting('checkName', (value) => (value === false ? '' : undefined)),
  },
  {
    name: 'name-may-be-a-list',
    title: 'A list of names is joined into one',
    breaks: ['CREATE-07'],
    options: accepting('checkName', (value) => (Array.isArray(value) ? value.join(' ') : undefined)),
  },
  {
    name: 'name-without-astral-characters',
    title: 'Characters of four bytes are replaced, as by a database with three-byte UTF-8',
    breaks: ['CREATE-13'],
    options: keepingNames((name) =>
      Array.from(name, (character) => (character.length > 1 ? '?' : character)).join(''),
    ),
  },
  {
    name: 'name-with-single-spaces',
    title: 'Consecutive spaces become one',
    breaks: ['CREATE-13'],
    options: keepingNames((name) => name.replace(/ {2,}/g, ' ')),
  },
  {
    name: 'name-cut-at-255-bytes-between-characters',
    title: 'Names are cut at 255 bytes, never within a character',
    breaks: ['CREATE-13'],
    options: keepingNames((name) =>
      Buffer.from(name)
        .subarray(0, 255)
        .toString()
        .replace(/\ufffd+$/, ''),
    ),
  },
  {
    name: 'category-optional',
    title: 'An animal without a category is stored under category 0',
    breaks: ['CREATE-06'],
    options: accepting('checkCategoryId', (value) => (value === undefined ? 0n : undefined)),
  },
  {
    name: 'category-in-quotes-accepted',
    title: 'Digits in quotes are accepted as a category',
    breaks: ['CREATE-08'],
    options: accepting('checkCategoryId', (value) =>
      typeof value === 'string' && /^-?\d+$/.test(value) ? BigInt(value) : undefined,
    ),
  },
  {
    name: 'category-truncated',
    title: 'The fraction of a category is cut off',
    breaks: ['CREATE-08'],
    options: accepting('checkCategoryId', (value) =>
      isFraction(value) ? BigInt(Math.trunc(Number(value.toString()))) : undefined,
    ),
  },
  {
    name: 'category-wraps-around',
    title: 'A category beyond int64 wraps around',
    breaks: ['CREATE-08'],
    options: accepting('checkCategoryId', (value) =>
      typeof value === 'bigint' ? BigInt.asIntN(64, value) : undefined,
    ),
  },
  {
    name: 'category-null-is-0',
    title: 'null is accepted as category 0',
    breaks: ['CREATE-08'],
    options: accepting('checkCategoryId', (value) => (value === null ? 0n : undefined)),
  },
  {
    name: 'category-may-be-a-boolean',
    title: 'true and false are accepted as categories 1 and 0',
    breaks: ['CREATE-08'],
    options: accepting('checkCategoryId', (value) =>
      typeof value === 'boolean' ? BigInt(value) : undefined,
    ),
  },
  {
    name: 'category-through-a-double',
    title: 'Categories go through a double, which rounds long ones',
    breaks: ['CREATE-12'],
    options: keepingCategories(throughDouble),
  },
  {
    name: 'category-in-32-bits',
    title: 'Categories are kept in 32 bits',
    breaks: ['CREATE-12'],
    options: keepingCategories((category) => BigInt.asIntN(32, category)),
  },
  {
    name: 'category-without-sign',
    title: 'Categories lose their sign',
    breaks: ['CREATE-12'],
    options: keepingCategories((category) => (category < 0n && isInt64(-category) ? -category : category)),
  },
  {
    name: 'status-in-any-case-accepted',
    title: 'A status is read without regard to case',
    breaks: ['CREATE-09'],
    options: accepting('checkStatus', (value) =>
      known(typeof value === 'string' ? value.toLowerCase() : undefined),
    ),
  },
  {
    name: 'status-with-a-line-break-accepted',
    title: 'A line break after a status is accepted, as the expression for it ends in `$`',
    breaks: ['CREATE-09'],
    options: accepting('checkStatus', (value) =>
      typeof value === 'string' && value.endsWith('\n') ? known(value.slice(0, -1)) : undefined,
    ),
  },
  {
    name: 'inherited-status-accepted',
    title: 'A status is looked up in an object, and inherited properties are found',
    breaks: ['CREATE-09'],
    options: accepting('checkStatus', (value) =>
      typeof value === 'string' && value in {} ? 'available' : undefined,
    ),
  },
  {
    name: 'null-status-accepted',
    title: 'null is accepted as a status',
    breaks: ['CREATE-09'],
    options: accepting('checkStatus', (value) => (value === null ? 'available' : undefined)),
  },
  {
    name: 'status-may-be-a-number',
    title: 'A status may be given by its index in the enumeration',
    breaks: ['CREATE-09'],
    options: accepting('checkStatus', (value) => (typeof value === 'bigint' ? 'available' : undefined)),
  },
  {
    name: 'status-required',
    title: 'A body without a status is refused',
    breaks: ['CREATE-02'],
    options: refusingStatus(undefined),
  },
  {
    name: 'available-refused',
    title: 'The status available is refused, as it is the default',
    breaks: ['CREATE-01', 'CREATE-03'],
    options: refusingStatus('available'),
  },
  {
    name: 'null-status-when-omitted',
    title: 'An animal that was created without a status is shown with null',
    breaks: ['PET-02'],
    options: showingOmittedStatus(null),
  },
  {
    name: 'status-unknown-when-omitted',
    title: 'An animal that was created without a status is shown as unknown',
    breaks: ['PET-02'],
    options: showingOmittedStatus('unknown'),
  },
];

function known(value: string | undefined): PetStatus | undefined {
  return isPetStatus(value) ? value : undefined;
}

function isFraction(value: unknown): value is LosslessNumber {
  return value instanceof LosslessNumber && /^-?\d+\.\d+$/.test(value.toString());
}
