/**
 * Text from a target as a terminal, a log, a table cell or a page may show it: what would move the cursor, hide itself or
 * turn the reading direction is made visible.
 */

/**
 * Control characters, direction overrides, invisible and unpaired code points, and those that are not characters. Joiners
 * and variation selectors stay: scripts and emoji need them.
 */
const hiddenCharacters =
  /[\p{Cc}\p{Cs}\p{Bidi_Control}\u00AD\u200B\u2028\u2029\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}\p{Noncharacter_Code_Point}]/gu;

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escape(character: string): string {
  const short = shortEscapes[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`;
}

/** The text on one line, with every hidden character as an escape: `\n`, `\x1b`, `\u202e`. */
export function printable(text: string): string {
  return text.replace(hiddenCharacters, escape);
}

/** The same value with every string in it made printable, so that no renderer can forget one. */
export function printableDeep<T>(value: T): T {
  const shown = (_key: string, inner: unknown): unknown =>
    typeof inner === 'string' ? printable(inner) : inner;
  return JSON.parse(JSON.stringify(value, shown)) as T;
}

/**
 * CI systems read commands in what a job prints: a line that begins with `::` (GitHub), `##[…]` and `##vso[…]` (GitHub,
 * Azure) or `##teamcity[…]` anywhere in it.
 */
const commandAtBeginning = /^(\s*):(?=:)/gmu;
const commandAnywhere = /##(?=(?:vso|teamcity)?\[)/gu;

/** The lines as one text, in which a space takes every CI command apart: text from a target must not become one. */
export function logText(lines: readonly string[]): string {
  return lines.join('\n').replaceAll(commandAtBeginning, '$1: ').replaceAll(commandAnywhere, '# #');
}
