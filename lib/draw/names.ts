import * as fc from 'fast-check';

/**
 * Text that no reader of the specification could refuse as a `name` (section 2: string), and that careless services
 * change: many scripts, emoji with joiners, combining marks that normalisation would fold, right-to-left, quotes,
 * backslashes, markup, an inner newline. No control characters but that newline, no space at the ends.
 */
const graphemes: readonly string[] = [
  'a',
  'Z',
  '7',
  '_',
  '.',
  '-',
  '/',
  '%41',
  '&amp;',
  '<b>',
  '"',
  "'",
  '\\',
  '\\n',
  '$1',
  '{}',
  '+',
  ';--',
  '#',
  '?',
  '|',
  'é',
  'e\u0301',
  'ß',
  'İ',
  'ı',
  'Å',
  'A\u030a',
  'Ω',
  'ж',
  'Ё',
  'ا',
  'ب',
  'ש',
  'ל',
  'ह',
  'क्ष',
  'ไ',
  '中',
  '爱',
  '日本',
  '한',
  '\u1112\u1161',
  '🐶',
  '🐱',
  '👩‍🚀',
  '👍🏽',
  '🏳️‍🌈',
  '🇫🇷',
  '𝒳',
  '𠜎',
  '￥',
  'ﬁ',
  '½',
  '™',
  '“',
  '’',
  '…',
  '\n',
];

const grapheme = fc.constantFrom(...graphemes);
/** What can stand at the ends without being taken for outer space. */
const solid = fc.constantFrom(...graphemes.filter((text) => text.trim() === text));

/** Units of UTF-16. With what stands before it, a name stays within 50, which is little for a target to hold. */
export const longestText = 26;

/** Unicode text of 2 to 7 graphemes: short, since the longest name that fits is not shown. Shrinks to the one grapheme that matters. */
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

/** One name for each sort of text, so that no run leaves one out. */
export const nameExamples: readonly string[] = [
  'Žofie & "Ω" \\ <b>Łódź</b>',
  '日本語 爱犬 한국어 \u1112\u1161\u11ab ٣\u00a0٤',
  '👩‍🚀 🇫🇷 ❤\ufe0f e\u0301 A\u030a',
  'line one\nline  "two"',
  "כלב שלום كلب '%41' $1 ${x}",
  'ﬁnch ½ 𝒳 𠜎 İ ß; -- “a+b”',
];
