import * as fc from 'fast-check';
import { leastInt64, mostInt64 } from './integers.js';

/** A value of the wrong sort for a field, by the name of its sort; drawn anew in each run. */
export type WrongValues = ReadonlyArray<readonly [sort: string, value: fc.Arbitrary<unknown>]>;

const word = fc.string({
  minLength: 1,
  maxLength: 8,
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'.split('')),
});

/** What is no string (CREATE-07), the most telling first. */
export const notAString: WrongValues = [
  // Long enough to be found again, should it be stored as text all the same.
  ['a number', fc.integer({ min: 10_000_000, max: 99_999_999 })],
  ['null', fc.constant(null)],
  ['true', fc.constant(true)],
  // Where a field is looked for by its truth, one of the two is taken.
  ['false', fc.constant(false)],
  ['an array', fc.array(word, { minLength: 1, maxLength: 2 })],
  ['an object', fc.dictionary(word, word, { minKeys: 1, maxKeys: 2 })],
];

/** What is no int64 (CREATE-08), the most telling first. `category` is one that the target has accepted. */
export const notAnInt64 = (category: bigint): WrongValues => [
  ['a string of digits', fc.constant(String(category))],
  ['2^63, one beyond int64', fc.constant(mostInt64 + 1n)],
  ['a fraction', fc.constant(1.5)],
  ['null', fc.constant(null)],
  ['-2^63 - 1, one below int64', fc.constant(leastInt64 - 1n)],
  ['a word', word],
  // In many languages these make 1, 0 and 0 when they are turned into numbers.
  ['true', fc.constant(true)],
  ['false', fc.constant(false)],
  ['the empty string', fc.constant('')],
  ['an array', fc.constant([category])],
  ['an object', fc.constant({ id: category })],
];

/** What is no PetStatus (CREATE-09), the most telling first. */
export const notAPetStatus: WrongValues = [
  ['another word', fc.constantFrom('sleeping', 'adopted', 'reserved', 'unknown', 'availabl', 'availables')],
  ['a status in another case', fc.constantFrom('Available', 'PENDING', 'Sold', 'AVAILABLE')],
  ['a status with a space behind', fc.constantFrom('available ', 'pending ', 'sold ')],
  ['a status with a space before', fc.constantFrom(' available', ' pending', ' sold')],
  ['the empty string', fc.constant('')],
  ['a number', fc.integer({ min: 0, max: 2 })],
  ['null', fc.constant(null)],
  ['an array', fc.constantFrom(['available'], ['sold'])],
];

/**
 * What is no JSON object as a whole (CREATE-10), the most telling first. `body` is the text of one that the target has
 * accepted but for its name; `undefined` sends none.
 */
export const notAnObject = (
  body: string,
): ReadonlyArray<readonly [sort: string, text: string | undefined]> => [
  ['cut-off JSON', body.slice(0, -1)],
  ['an array around the body', `[${body}]`],
  ['missing', undefined],
  ['a string', JSON.stringify(body)],
  ['null', 'null'],
  ['a number', '42'],
  ['an empty array', '[]'],
  ['plain text', 'name and category'],
  ['an empty text', ''],
];
