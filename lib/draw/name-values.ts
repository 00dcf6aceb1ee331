import * as fc from 'fast-check';

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
