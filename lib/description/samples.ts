import * as fc from 'fast-check';
import { nameExamples } from '../draw/name-values.js';
import { notAnInt64, notAPetStatus, notAString, type InvalidValues } from '../draw/refused-values.js';
import { petStatuses } from '../specification/body-schema.js';

/** A value by which a schema is tried. */
export interface Sample {
  /** What it is, in a few words. */
  readonly what: string;
  readonly value: unknown;
  /** The part that is judged, as a JSON pointer. */
  readonly path: string;
  /** The rule of section 2 or 4 that a refused value breaks. */
  readonly rule?: string;
  /** Parts of an accepted value that a target may restrict, such as the codes of its errors, as JSON pointers. */
  readonly free?: readonly string[];
}

/** What the specification accepts and refuses at one place. Integers are doubles, as a schema's validator has them. */
export interface Samples {
  readonly accepted: readonly Sample[];
  readonly refused: readonly Sample[];
  /** A valid value with another text in the place of a PetStatus. */
  readonly withStatus?: (text: string) => Sample;
}

/** The doubles next to the ends of int64: the next ones beyond its greatest value are 2,048 apart. */
const greatInt64 = 2 ** 63 - 1_024;
const beyondInt64: InvalidValues = [
  ['an integer beyond int64', fc.constant(2 ** 63 + 2_048)],
  ['an integer below int64', fc.constant(-(2 ** 63) - 2_048)],
];
const notAnInteger = notAnInt64(7n).filter(([kind]) => !kind.includes('int64'));

interface Field {
  readonly rule: string;
  readonly invalid: InvalidValues;
}

const text: Field = { rule: 'a string', invalid: notAString };
const int64: Field = { rule: 'an integer, format int64', invalid: [...notAnInteger, ...beyondInt64] };
const integer: Field = { rule: 'an integer', invalid: notAnInteger };
const status: Field = {
  rule: `one of ${petStatuses.map((name) => `\`${name}\``).join(', ')}`,
  invalid: notAPetStatus,
};

/** Always the same values: a document is judged by itself. */
function drawn({ invalid }: Field): (readonly [kind: string, value: unknown])[] {
  return invalid.map(([kind, values]) => [kind, doubles(fc.sample(values, { seed: 1, numRuns: 1 })[0])]);
}

function doubles(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(doubles);
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, doubles(child)]));
}

/** A sample as JSON, with the digits of its integers. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replaceAll(/\b\d{17,}\b/g, (digits) => String(BigInt(Number(digits))));
}

type Members = Readonly<Record<string, unknown>>;

function accepted(what: string, value: unknown): Sample {
  return { what, value, path: '' };
}

/** An object without each required field, with invalid values in each field, and what is not an object. */
function refusedObjects(
  valid: Members,
  fields: Readonly<Record<string, Field>>,
  required: readonly string[],
): Sample[] {
  const rule = 'a JSON object';
  const missing = required.map((name) => {
    const { [name]: _, ...others } = valid;
    return { what: `no \`${name}\``, value: others, path: '', rule: `\`${name}\` is required` };
  });
  const invalid = Object.entries(fields).flatMap(([name, field]) =>
    drawn(field).map(([kind, value]): Sample => ({
      what: `\`${name}\`: ${kind}`,
      value: { ...valid, [name]: value },
      path: `/${name}`,
      rule: `\`${name}\` is ${field.rule}`,
    })),
  );
  const others = [null, 42, 'Luna', true, [valid]].map((value) => ({
    what: Array.isArray(value) ? 'an array' : JSON.stringify(value),
    value,
    path: '',
    rule,
  }));
  return [...missing, ...invalid, ...others];
}

const newPet = { name: 'Luna', categoryId: 7, status: 'available' };
const newPetFields = { name: text, categoryId: int64, status };

function acceptedPets(valid: Members): Sample[] {
  return [
    accepted('a valid animal', valid),
    ...nameExamples.map((name) => accepted(`\`name\`: ${JSON.stringify(name)}`, { ...valid, name })),
    ...petStatuses.map((name) => accepted(`\`status\`: "${name}"`, { ...valid, status: name })),
    accepted(`\`categoryId\`: ${jsonText(greatInt64)}`, { ...valid, categoryId: greatInt64 }),
  ];
}

function withStatusIn(valid: Members): (text: string) => Sample {
  const rule = `\`status\` is ${status.rule}`;
  return (word) => ({
    what: `\`status\`: ${JSON.stringify(word)}`,
    value: { ...valid, status: word },
    path: '/status',
    rule,
  });
}

// With a status: the target may promise one with each animal that it returns.
const pet = { id: 1, ...newPet };
const pets: Samples = {
  accepted: [...acceptedPets(pet), accepted(`\`id\`: ${jsonText(greatInt64)}`, { ...pet, id: greatInt64 })],
  refused: refusedObjects(pet, { id: int64, ...newPetFields }, ['id', 'name', 'categoryId']),
  withStatus: withStatusIn(pet),
};

/** The bodies of section 2, by their names. */
export const bodySamples: Readonly<Record<'NewPet' | 'Pet' | 'Pets', Samples>> = {
  NewPet: {
    accepted: [...acceptedPets(newPet), accepted('no `status`', { name: 'Luna', categoryId: 7 })],
    refused: refusedObjects(newPet, newPetFields, ['name', 'categoryId']),
    withStatus: withStatusIn(newPet),
  },
  Pet: pets,
  Pets: {
    accepted: [
      accepted('an empty listing', []),
      ...pets.accepted.map((one) => ({ ...one, value: [pet, one.value] })),
    ],
    refused: [
      ...[null, {}, { items: [pet] }, pet].map((value) => ({
        what: value === null ? 'null' : 'an object',
        value,
        path: '',
        rule: 'a JSON array',
      })),
      ...pets.refused.map(inListing),
    ],
    withStatus: (word) => inListing(withStatusIn(pet)(word)),
  },
};

function inListing(sample: Sample): Sample {
  return { ...sample, value: [sample.value], path: `/0${sample.path}` };
}

/** An Error of section 2 with the status of its response. */
export function errorSamples(code: number): Samples {
  const error = { code: 'refused', message: 'It is refused.', status: code };
  return {
    accepted: [{ ...accepted('an Error', error), free: ['/code', '/message'] }],
    refused: refusedObjects(error, { code: text, message: text, status: integer }, [
      'code',
      'message',
      'status',
    ]),
  };
}

/** A parameter by its values. It cannot be null: a schema that accepts null only says that it is optional. */
function samplesOf(values: readonly unknown[], field: Field): Samples {
  const { rule } = field;
  return {
    accepted: values.map((value) => accepted(jsonText(value), value)),
    refused: drawn(field)
      .filter(([, value]) => value !== null)
      .map(([what, value]) => ({ what, value, path: '', rule })),
    ...(field === status && {
      withStatus: (word: string) => ({ what: JSON.stringify(word), value: word, path: '', rule }),
    }),
  };
}

const outOfRange: InvalidValues = [0, -1, 101, 1_000].map((value) => [String(value), fc.constant(value)]);

/** The parameters of section 4, by their names. */
export const parameterSamples = {
  limit: samplesOf([1, 7, 20, 100], {
    rule: 'an integer from 1 to 100',
    invalid: [...outOfRange, ...notAnInteger],
  }),
  status: samplesOf(petStatuses, status),
  petId: samplesOf([1, 7, greatInt64], int64),
} as const satisfies Readonly<Record<string, Samples>>;
