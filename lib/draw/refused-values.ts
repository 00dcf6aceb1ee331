import * as fc from 'fast-check';
import { leastInt64, mostInt64 } from './id-values.js';

/** Values that are invalid for a field, those that services accept most often first; drawn anew in each run. */
export type InvalidValues = ReadonlyArray<fc.Arbitrary<unknown>>;

const word = fc.stringMatching(/^[a-z]{1,8}$/);
const each = (...values: readonly unknown[]): InvalidValues => values.map((one) => fc.constant(one));

/** Not a string (CREATE-07). */
export const notAString: InvalidValues = [
  // Long enough to be recognised in a listing if the target stores it as text.
  fc.integer({ min: 10_000_000, max: 99_999_999 }),
  // A service that tests whether the field is truthy accepts one of the two.
  ...each(null, true, false),
  fc.array(word, { minLength: 1, maxLength: 2 }),
  fc.dictionary(word, word, { minKeys: 1, maxKeys: 2 }),
];

/** Not an int64 (CREATE-08); `category` is one that the target accepted. */
export const notAnInt64 = (category: bigint): InvalidValues => [
  ...each(String(category), mostInt64 + 1n, 1.5, null, leastInt64 - 1n),
  word,
  // Many languages convert the first three to 1, 0 and 0.
  ...each(true, false, '', [category], { id: category }),
];

/** Not a PetStatus (CREATE-09). */
export const notAPetStatus: InvalidValues = [
  fc.constantFrom('sleeping', 'adopted', 'reserved', 'unknown', 'availabl', 'availables'),
  fc.constantFrom('Available', 'PENDING', 'Sold', 'AVAILABLE'),
  fc.constantFrom('available ', 'pending ', 'sold '),
  fc.constantFrom(' available', ' pending', ' sold'),
  fc.constant(''),
  fc.integer({ min: 0, max: 2 }),
  fc.constant(null),
  fc.constantFrom(['available'], ['sold']),
  // In many languages `$` matches before a line break at the end, too.
  fc.constantFrom('available\n', 'pending\n', 'sold\n'),
  // A look-up in an object finds what every object inherits.
  fc.constantFrom('constructor', 'toString', 'valueOf'),
];

/** Not a JSON object (CREATE-10), each made of a valid body as text; `undefined` sends no body. */
export const notAnObject: ReadonlyArray<(body: string) => string | undefined> = [
  (body) => body.slice(0, -1),
  (body) => `[${body}]`,
  (body) => `${body} and more`,
  (body) => `${body}\n${body}`,
  insideLastString,
  () => undefined,
  JSON.stringify,
  () => 'null',
  () => '42',
  () => '[]',
  (body) => `${body.slice(0, -1)},}`,
  () => '',
];

/** All members, and the beginning of the name: a reader that closes what is open takes it for a valid body. */
function insideLastString(body: string): string {
  const [, name = '""'] = /("name":"[^"]*)"/.exec(body) ?? [];
  const others = body.slice(1, -1).replace(`${name}",`, '');
  return `{${others},${name}`;
}

/** A key that looks like a real one and that nobody has. */
export const unknownKey: fc.Arbitrary<string> = fc.stringMatching(/^[a-km-zA-HJ-NP-Z2-9]{32}$/);
