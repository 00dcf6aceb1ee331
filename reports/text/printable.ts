import stringWidth from 'string-width';

/**
 * Text from a target as a terminal, a log or a table cell may show it: what would move the cursor, hide itself or turn
 * the reading direction stands there as a visible escape instead.
 */

/**
 * Controls (Cc), format characters with the bidirectional overrides and zero-width ones (Cf), line and paragraph
 * separators, lone surrogates and noncharacters.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\uFFFE\uFFFF]/gu;

/** A joiner between two pictographs is part of an emoji, and stays. */
const emojiJoiner =
  /(?<=\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})?)\u200D(?=\p{Extended_Pictographic})/u;

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escape(character: string): string {
  const short = shortEscapes[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`;
}

/** The text on one line, with everything invisible made visible: `\n`, `\x1b`, `\u202e`. */
export function printable(text: string): string {
  return text.split(emojiJoiner).map(withoutHidden).join('\u200D');
}

function withoutHidden(text: string): string {
  return text.replace(hidden, escape);
}

/** The same value with every string in it made printable, so that no renderer can forget one. */
export function printableDeep<T>(value: T): T {
  return walk(value) as T;
}

function walk(value: unknown): unknown {
  if (typeof value === 'string') return printable(value);
  if (Array.isArray(value)) return value.map(walk);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]));
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * The text cut to so many terminal columns, with `…` at the cut. Never longer than four code units a column either:
 * a stack of combining marks has no width.
 */
export function clip(text: string, columns: number): string {
  if (text.length <= columns * 4 && stringWidth(text) <= columns) return text;
  let clipped = '';
  let width = 0;
  for (const { segment } of graphemes.segment(text.slice(0, columns * 4))) {
    width += stringWidth(segment);
    if (width > columns - 1) break;
    clipped += segment;
  }
  return `${clipped}…`;
}
