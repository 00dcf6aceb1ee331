import { randomUUID } from 'node:crypto';
import { LosslessNumber, splitNumber, stringify } from 'lossless-json';
import { countMembers, jsonShape, withNumbersQuoted } from './json-syntax.js';

/**
 * JSON with 64-bit integers kept digit by digit (section 2: `id` and `categoryId` are int64, which a double is not).
 *
 * Numbers become, by their mathematical value and not by their spelling (JSON Schema: `1.0` is an integer):
 * - an integer that a double holds exactly (`12`, `1.0`, `1e3`, `-0`): `number`
 * - any other integer within the range of a double: `bigint`
 * - a fraction that a double would round to an integer (`1.00000000000000000001`): `LosslessNumber`, so that no check
 *   takes it for an integer
 * - anything else: `number`, infinite where it is beyond a double (`1e400`, 10,000 digits)
 */
export type ParsedJson =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** A key stands twice in one object. The grammar allows it (RFC 8259 4); the last value wins. */
      readonly duplicateKeys: boolean;
    }
  | { readonly ok: false; readonly problem: 'syntax' | 'too-deep'; readonly message: string };

/** RFC 8259 9 lets a reader limit nesting. No body of the specification nests deeper than 2. */
export const deepestNesting = 1_000;

/** Parses a JSON text (RFC 8259). Never throws; a byte order mark, NaN and anything else outside the grammar is a `syntax` problem. */
export function parseJson(text: string): ParsedJson {
  if (text.startsWith('\uFEFF')) {
    return { ok: false, problem: 'syntax', message: 'begins with a byte order mark' };
  }
  let value: unknown;
  try {
    // Native first: it is many times faster, refuses the same texts, and does not recurse.
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, problem: 'syntax', message: syntaxMessage(text, error) };
  }
  const shape = jsonShape(text);
  if (shape.depth > deepestNesting) {
    return {
      ok: false,
      problem: 'too-deep',
      message: `nests ${shape.depth} deep, more than the ${deepestNesting} that are read`,
    };
  }
  if (shape.exactNumbers) value = withExactNumbers(text);
  return { ok: true, value, duplicateKeys: countMembers(value) !== shape.members };
}

/**
 * Writes a value as JSON text, bigints and the numbers of `parseJson` digit by digit.
 * Throws a TypeError for what JSON has no text for (`undefined`, a function).
 */
export function writeJson(value: unknown): string {
  const text = stringify(value);
  if (text === undefined) throw new TypeError(`JSON has no text for ${typeof value}`);
  return text;
}

/**
 * Parses a text that is known to be JSON with its numbers digit by digit. lossless-json's own parser puts strings
 * together character by character, which takes 32 bytes for each of a long one.
 */
function withExactNumbers(text: string): unknown {
  // Nothing that a target sends begins like a number in quotes: the mark is drawn anew.
  const mark = `${randomUUID()} `;
  return JSON.parse(withNumbersQuoted(text, mark), (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? exactNumber(value.slice(mark.length)) : value,
  );
}

/** Digits before the point of the longest integer that becomes a bigint: more is beyond a double. */
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

/** Of the engine's message only what does not quote the text: that may hold anything, a terminal's escapes too. */
function syntaxMessage(text: string, error: unknown): string {
  if (text.trim() === '') return 'is empty';
  const position = error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
  return position === undefined
    ? 'does not follow the JSON grammar'
    : `breaks the JSON grammar at position ${position}`;
}
