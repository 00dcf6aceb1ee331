import * as fc from 'fast-check';
import { writeJson } from '../specification/json-value.js';

export const leastInt64 = -(2n ** 63n);
export const mostInt64 = 2n ** 63n - 1n;

/** Any int64 (section 2); the ends, and the edge of a double's exact integers, more often than by chance. */
export const int64Value: fc.Arbitrary<bigint> = fc.oneof(
  fc.bigInt({ min: leastInt64, max: mostInt64 }),
  fc.bigInt({ min: 2n ** 53n - 4n, max: 2n ** 53n + 4n }),
  fc.bigInt({ min: mostInt64 - 1_000n, max: mostInt64 }),
  fc.bigInt({ min: -(2n ** 31n) - 2n, max: 2n ** 31n + 2n }),
);

/** Values of `categoryId` that show lost digits, a lost sign, or a zero treated as absent. */
export const int64Examples: readonly bigint[] = [
  9007199254740993n,
  mostInt64,
  leastInt64,
  0n,
  -9007199254740993n,
];

/** An identifier that almost certainly no animal has: high, and not round. */
export const unlikelyIdentifier: fc.Arbitrary<bigint> = fc.bigInt({
  min: 2n ** 61n,
  max: mostInt64 - 1_000n,
});

/** UTF-16 code units. A name with the marker before it stays within 50, which every target can store. */
export const longestText = 26;

/**
 * Unicode text that no reader of the specification could refuse as a `name` (section 2: string), and that careless services
 * change: without control characters and outer space, and short, since the specification does not show a maximum length.
 */
export const petNameText: fc.Arbitrary<string> = fc
  .string({ unit: 'grapheme', minLength: 2, maxLength: 7 })
  .filter((text) => text.trim() === text && text.length <= longestText);

/** One name for each kind of text, so that every run sends each kind; the first ones fit into an older encoding. */
export const nameExamples: readonly string[] = [
  // Latin-1, as UTF-8 in twice as many bytes.
  'Zoë & "Ång" \\ <b>ÿ½</b>',
  '日本語 Łódź Ω \u1112\u1161\u11ab ٣\u00a0٤',
  '👩‍🚀 🇫🇷 ❤\ufe0f e\u0301 A\u030a',
  'line $1\nline  "2" %s $&',
  "כלב\u200f كلب می\u200cشود '%41' ${x}",
  'ﬁnch ½ 𝒳 𠜎 İ ß; -- “a+b”',
  // Windows-1252 and KOI8-R.
  'Œuvre – “5 €” Šárka ™',
  'Жучка и Бим',
];

/** Lengths at which services cut names, or break, in characters and in bytes. */
const bounds = [64, 100, 128, 255, 256];

/** A length of a name in bytes, and the character that fills it; its end may stand on either side of the length. */
type NameLength = readonly [size: number, character: string];

/** Just beyond each bound in characters and in bytes, and few characters of many bytes. */
export const nameLengths: readonly NameLength[] = [
  ...bounds.map((size): NameLength => [size + 1, 'x']),
  ...bounds.map((size, index): NameLength => [size + 1, ['ÿ', '爱', '🐶'][index % 3] ?? 'ÿ']),
  [900, '🐶'],
  [257, '爱'],
];

/** A name that begins with another one and has a length. */
export function nameOfLength(own: string, [size, character]: NameLength): string {
  const space = size - Buffer.byteLength(own) - 1;
  const missing = Math.ceil(space / Buffer.byteLength(character));
  return `${own} ${character.repeat(Math.max(1, missing))}`;
}

export type Spelling = (members: Readonly<Record<string, unknown>>) => string;

/** The members of an object, each as JSON text. */
function written(members: Parameters<Spelling>[0], colon = ':', text = writeJson): string[] {
  return Object.entries(members).map(([name, value]) => text(name) + colon + text(value));
}

/** Every unit of UTF-16 in a string as an escape (RFC 8259 7). */
function escaped(value: unknown): string {
  if (typeof value !== 'string') return writeJson(value);
  const units = value.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
  return `"${units.map((unit) => `\\u${unit}`).join('')}"`;
}

/** Other spellings of one JSON object, which every reader of JSON takes for the same (RFC 8259 2, 4 and 7). */
export const spellings: readonly Spelling[] = [
  (members) => ` \r\n{\n\t${written(members, ' : ').join(' , ')}\r\n} \n`,
  (members) => `{${written(members).toReversed().join(',')}}`,
  (members) => `{${written(members, ':', escaped).join(',')}}`,
];

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
