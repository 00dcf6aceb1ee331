import { randomUUID } from 'node:crypto';
import { LosslessNumber, splitNumber, stringify } from 'lossless-json';

/**
 * JSON that keeps every digit of a 64-bit integer (section 2: `id` and `categoryId` are int64, beyond what a double
 * holds). If a key stands twice in one object, the last value wins (RFC 8259 4).
 *
 * A number is read by its mathematical value, not its spelling (JSON Schema: `1.0` is an integer):
 * - an integer that a double holds exactly (`12`, `1.0`, `1e3`, `-0`): `number`
 * - any other integer within the range of a double: `bigint`
 * - a fraction that a double would round to an integer (`1.00000000000000000001`): `LosslessNumber`, so that no check
 *   accepts it as an integer
 * - anything else: `number`, infinite if it is beyond a double (`1e400`, 10,000 digits)
 */
export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: 'syntax' | 'too-deep'; readonly message: string };

/** RFC 8259 9 permits a limit. The specification's bodies nest 2 deep. */
export const deepestNesting = 1_000;

/** What was parsed since the cache was last emptied: a target sends the same text again and again, and many rules read it. */
const parsed = new Map<string, ParsedJson>();
/** Characters of all texts in it, which take many times their length when they are parsed. */
const mostParsed = 1024 * 1024;
let inParsed = 0;

/**
 * Parses a JSON text (RFC 8259). Never throws; what the grammar does not allow, a byte order mark too, is a `syntax`
 * problem. Equal texts have one value, which nobody may change.
 */
export function parseJson(text: string): ParsedJson {
  const known = parsed.get(text);
  if (known) return known;
  inParsed += text.length;
  if (inParsed > mostParsed) {
    parsed.clear();
    inParsed = text.length;
  }
  const made = parsedText(text);
  parsed.set(text, made);
  return made;
}

function parsedText(text: string): ParsedJson {
  if (text.startsWith('\uFEFF')) {
    return { ok: false, problem: 'syntax', message: 'begins with a byte order mark' };
  }
  let value: unknown;
  try {
    // The native parser: on a name of a megabyte it is a hundred times faster than that of lossless-json.
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, problem: 'syntax', message: syntaxMessage(text, error) };
  }
  if (isDeeper(text, deepestNesting))
    return { ok: false, problem: 'too-deep', message: `nests deeper than ${deepestNesting}` };
  return { ok: true, value: mayNeedDigits.test(text) ? withDigits(text) : value };
}

/** Such a number, or a string, in which nothing is one. */
const stringOrDigits = /"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:\d[\d.]{15}|\d[\d.]*[eE])[\d.eE+-]*/gs;
/** How a string begins that stands for a number: no target knows it. */
const numberMark = `number ${randomUUID()} `;

/** Each number that the native parser would round is read as a string, and put in its place. */
function withDigits(text: string): unknown {
  const marked = text.replace(stringOrDigits, (token) =>
    token.startsWith('"') ? token : `"${numberMark}${token}"`,
  );
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(numberMark)
      ? exactNumber(value.slice(numberMark.length))
      : value,
  );
}

/**
 * Writes a value as JSON text with every digit of bigints and of the numbers of `parseJson`.
 *
 * @throws TypeError for a value that JSON cannot represent (`undefined`, a function).
 */
export function writeJson(value: unknown): string {
  const text = stringify(value);
  if (text === undefined) throw new TypeError(`JSON cannot represent ${typeof value}`);
  return text;
}

/** What may be a number that a double does not hold, or a part of a text: a double holds every integer of 15 digits. */
const mayNeedDigits = /(?:^|[:,[])\s*-?(?:\d[\d.]{15}|\d[\d.]*[eE])/;

/** An integer with more digits than this is beyond a double. */
const longestInteger = 308;

function exactNumber(text: string): unknown {
  const rounded = Number(text);
  if (Number.isFinite(rounded) && !Number.isInteger(rounded)) return rounded;
  const { sign, digits, exponent } = splitNumber(text);
  const fractionDigits = digits.length - 1 - exponent;
  const isZero = digits === '0';
  if (fractionDigits > 0 && !isZero) {
    return Number.isFinite(rounded) ? new LosslessNumber(text) : rounded;
  }
  if (isZero || Number.isSafeInteger(rounded) || exponent >= longestInteger) return rounded;
  return BigInt(`${sign}${digits}${'0'.repeat(-fractionDigits)}`);
}

/** A string or a bracket of a text that is known to be JSON (RFC 8259). */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]/gs;

/** Whether arrays and objects of a JSON text nest deeper than a bound. Linear and without recursion. */
function isDeeper(text: string, bound: number): boolean {
  // Nearly all texts have fewer brackets.
  if ((text.match(/[[{]/g)?.length ?? 0) <= bound) return false;
  let depth = 0;
  for (const [token] of text.matchAll(tokens)) {
    if (token === '[' || token === '{') depth++;
    else if (token === ']' || token === '}') depth--;
    if (depth > bound) return true;
  }
  return false;
}

/** Only the position from the engine's message: its quotation of the text may contain anything, even terminal escapes. */
function syntaxMessage(text: string, error: unknown): string {
  if (text.trim() === '') return 'is empty';
  const position = error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
  return position === undefined
    ? 'does not follow the JSON grammar'
    : `breaks the JSON grammar at position ${position}`;
}

/** Whether a parsed value is an object, with members. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A path as a JSON pointer (RFC 6901): `['0', 'categoryId']` is `/0/categoryId`; the whole is the empty text. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The path that a JSON pointer leads along: what `jsonPointer` was made of, as texts. */
export function pathOf(pointer: string): string[] {
  const [, ...steps] = pointer.split('/');
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Longer texts are cut, so that a finding stays readable. */
const longestShown = 60;

/** A parsed value in a line for a finding: its JSON text, or that it is absent. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'absent';
  const isBeyond = typeof value === 'number' && !Number.isFinite(value);
  const text = isBeyond ? 'a number beyond the range of a double' : writeJson(value);
  // Never between the halves of a surrogate pair.
  return text.length > longestShown
    ? `${text.slice(0, longestShown).replace(/[\uD800-\uDBFF]$/, '')}…`
    : text;
}
