import * as fc from 'fast-check';

/**
 * Text that no reader of the specification could refuse as a `name` (section 2: string), and that careless services
 * change. No control characters but a newline, and no space at the ends.
 */
const graphemes: readonly string[] = [
  ...String.raw`a Z 7 _ . - / %41 &amp; <b> " ' \ \n $1 {} + ;-- # ? |`.split(' '),
  // Latin letters, precomposed and with combining marks that normalisation would change.
  ...'é e\u0301 ß İ ı Å A\u030a'.split(' '),
  // Other scripts, right-to-left ones among them.
  ...'Ω ж Ё ا ب ש ל ह क्ष ไ 中 爱 日本 한 \u1112\u1161'.split(' '),
  // Emoji with joiners and modifiers, and characters beyond the Basic Multilingual Plane.
  ...'🐶 🐱 👩‍🚀 👍🏽 🏳️‍🌈 🇫🇷 𝒳 𠜎'.split(' '),
  ...'￥ ﬁ ½ ™ “ ’ …'.split(' '),
  '\n',
];

const grapheme = fc.constantFrom(...graphemes);
/** What may stand at the ends, because it is not space. */
const solid = fc.constantFrom(...graphemes.filter((text) => text.trim() === text));

/** UTF-16 code units. A name with the marker before it stays within 50, which every target can store. */
export const longestText = 26;

/** Unicode text of 2 to 7 graphemes: short, since the specification does not show a maximum length. */
export const petNameText: fc.Arbitrary<string> = fc
  .tuple(
    solid,
    fc.array(fc.oneof({ weight: 6, arbitrary: grapheme }, { weight: 1, arbitrary: fc.constant(' ') }), {
      maxLength: 5,
    }),
    solid,
  )
  .map(([first, middle, last]) => [first, ...middle, last].join(''))
  .filter((text) => text.length <= longestText);

/** One name for each kind of text, so that every run sends each kind. */
export const nameExamples: readonly string[] = [
  'Žofie & "Ω" \\ <b>Łódź</b>',
  '日本語 爱犬 한국어 \u1112\u1161\u11ab ٣\u00a0٤',
  '👩‍🚀 🇫🇷 ❤\ufe0f e\u0301 A\u030a',
  'line one\nline  "two"',
  "כלב שלום كلب '%41' $1 ${x}",
  'ﬁnch ½ 𝒳 𠜎 İ ß; -- “a+b”',
];
