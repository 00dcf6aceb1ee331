import * as fc from 'fast-check';
import { leastInt64, mostInt64 } from './id-values.js';

/** Values that are invalid for a field, each kind by its name; drawn anew in each run. */
export type InvalidValues = ReadonlyArray<readonly [kind: string, value: fc.Arbitrary<unknown>]>;

const word = fc.string({
  minLength: 1,
  maxLength: 8,
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'.split('')),
});

/** Not a string (CREATE-07); those that services accept most often come first. */
export const notAString: InvalidValues = [
  // Long enough to be recognised in a listing if the target stores it as text.
  ['a number', fc.integer({ min: 10_000_000, max: 99_999_999 })],
  ['null', fc.constant(null)],
  ['true', fc.constant(true)],
  // A service that tests whether the field is truthy accepts one of the two.
  ['false', fc.constant(false)],
  ['an array', fc.array(word, { minLength: 1, maxLength: 2 })],
  ['an object', fc.dictionary(word, word, { minKeys: 1, maxKeys: 2 })],
];

/** Not an int64 (CREATE-08); `category` is one that the target accepted. */
export const notAnInt64 = (category: bigint): InvalidValues => [
  ['a string of digits', fc.constant(String(category))],
  ['2^63, one beyond int64', fc.constant(mostInt64 + 1n)],
  ['a fraction', fc.constant(1.5)],
  ['null', fc.constant(null)],
  ['-2^63 - 1, one below int64', fc.constant(leastInt64 - 1n)],
  ['a word', word],
  // Many languages convert these to 1, 0 and 0.
  ['true', fc.constant(true)],
  ['false', fc.constant(false)],
  ['the empty string', fc.constant('')],
  ['an array', fc.constant([category])],
  ['an object', fc.constant({ id: category })],
];

/** Not a PetStatus (CREATE-09). */
export const notAPetStatus: InvalidValues = [
  ['another word', fc.constantFrom('sleeping', 'adopted', 'reserved', 'unknown', 'availabl', 'availables')],
  ['a status in another case', fc.constantFrom('Available', 'PENDING', 'Sold', 'AVAILABLE')],
  ['a status with a trailing space', fc.constantFrom('available ', 'pending ', 'sold ')],
  ['a status with a leading space', fc.constantFrom(' available', ' pending', ' sold')],
  ['the empty string', fc.constant('')],
  ['a number', fc.integer({ min: 0, max: 2 })],
  ['null', fc.constant(null)],
  ['an array', fc.constantFrom(['available'], ['sold'])],
  // In many languages `$` matches before a line break at the end, too.
  ['a status with a line break after it', fc.constantFrom('available\n', 'pending\n', 'sold\n')],
  // A look-up in an object finds what every object inherits.
  ['a property of every JavaScript object', fc.constantFrom('constructor', 'toString', 'valueOf')],
];

/** Not a JSON object (CREATE-10), each made of a valid body as text; `undefined` sends no body. */
export const notAnObject: ReadonlyArray<
  readonly [kind: string, textOf: (body: string) => string | undefined]
> = [
  ['truncated JSON', (body) => body.slice(0, -1)],
  ['an array around the body', (body) => `[${body}]`],
  ['followed by text', (body) => `${body} and more`],
  ['followed by a second object', (body) => `${body}\n${body}`],
  ['cut off inside a string', insideLastString],
  ['missing', () => undefined],
  ['a string', JSON.stringify],
  ['null', () => 'null'],
  ['a number', () => '42'],
  ['an empty array', () => '[]'],
  ['an object with a comma after its last member', (body) => `${body.slice(0, -1)},}`],
  ['an empty text', () => ''],
];

/** All members, and the beginning of the name: a reader that closes what is open takes it for a valid body. */
function insideLastString(body: string): string {
  const [, name = '""'] = /("name":"[^"]*)"/.exec(body) ?? [];
  const others = body.slice(1, -1).replace(`${name}",`, '');
  return `{${others},${name}`;
}

/** A key that looks like a real one and that nobody has. */
export const unknownKey: fc.Arbitrary<string> = fc.string({
  unit: fc.constantFrom(...'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'.split('')),
  minLength: 32,
  maxLength: 32,
});
