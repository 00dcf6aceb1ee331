import { isLosslessNumber } from 'lossless-json';

/** What one pass over a JSON text tells before anything is built from it. */
export interface JsonShape {
  /** How deep arrays and objects nest; 0 for a bare value. */
  readonly depth: number;
  /** How many `"key": value` pairs are written. */
  readonly members: number;
  /** Whether a number is written that a double may not hold exactly, or that has an exponent. */
  readonly exactNumbers: boolean;
}

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const minus = 0x2d;

/** A double holds every integer of 15 digits; from 16 on only some. */
const digitsOfADouble = 15;

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/**
 * Reads the shape off a text that is known to be JSON (RFC 8259). Linear, and free of recursion, so that hostile
 * nesting costs nothing.
 */
export function jsonShape(text: string): JsonShape {
  let depth = 0;
  let deepest = 0;
  let members = 0;
  let digits = 0;
  let exactNumbers = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (isDigit(code)) {
      digits++;
      if (digits > digitsOfADouble) exactNumbers = true;
      continue;
    }
    // A point does not end a number: 9007199254740.993e3 has 16 digits.
    if (code === 0x2e) continue;
    if (digits > 0 && (code === 0x65 || code === 0x45)) exactNumbers = true;
    digits = 0;
    if (code === quote) {
      index = endOfString(text, index);
    } else if (code === colon) {
      members++;
    } else if (code === 0x5b || code === 0x7b) {
      depth++;
      if (depth > deepest) deepest = depth;
    } else if (code === 0x5d || code === 0x7d) {
      depth--;
    }
  }
  return { depth: deepest, members, exactNumbers };
}

const number = /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/iy;

/** A text that is known to be JSON, with each number in a string of its own that begins with `mark`. */
export function withNumbersQuoted(text: string, mark: string): string {
  const parts: string[] = [];
  let copied = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === quote) {
      index = endOfString(text, index);
      continue;
    }
    if (code !== minus && !isDigit(code)) continue;
    number.lastIndex = index;
    const [token = ''] = number.exec(text) ?? [];
    parts.push(text.slice(copied, index), `"${mark}${token}"`);
    copied = index + token.length;
    index = copied - 1;
  }
  parts.push(text.slice(copied));
  return parts.join('');
}

/** The index of the quote that closes the string opened at `start`. */
function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text.charCodeAt(index) !== quote) {
    index += text.charCodeAt(index) === backslash ? 2 : 1;
  }
  return index;
}

/** How many members the objects of a parsed value hold in all; nesting is bounded by the caller. */
export function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null || isLosslessNumber(value)) return 0;
  const children: unknown[] = Array.isArray(value) ? value : Object.values(value);
  let members = Array.isArray(value) ? 0 : children.length;
  for (const child of children) members += countMembers(child);
  return members;
}
