/** What one pass over a JSON text shows before it is parsed. */
export interface JsonShape {
  /** How deep arrays and objects nest; 0 for a bare value. */
  readonly depth: number;
  /** Whether it has a number with an exponent, or with more digits than a double holds exactly. */
  readonly exactNumbers: boolean;
}

const quote = 0x22;
const backslash = 0x5c;
const minus = 0x2d;
const plus = 0x2b;
const point = 0x2e;

/** A double holds every integer of 15 digits, but not every integer of 16. */
const digitsOfADouble = 15;

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isExponent(code: number): boolean {
  return code === 0x65 || code === 0x45;
}

/** The shape of a text that is known to be JSON (RFC 8259). Linear and without recursion, so hostile nesting is cheap. */
export function jsonShape(text: string): JsonShape {
  let depth = 0;
  let deepest = 0;
  let digits = 0;
  let exactNumbers = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (isDigit(code)) {
      digits++;
      if (digits > digitsOfADouble) exactNumbers = true;
      continue;
    }
    // A decimal point does not end a number: 9007199254740.993e3 has 16 digits.
    if (code === point) continue;
    if (digits > 0 && isExponent(code)) exactNumbers = true;
    digits = 0;
    if (code === quote) {
      index = endOfString(text, index);
    } else if (code === 0x5b || code === 0x7b) {
      depth++;
      if (depth > deepest) deepest = depth;
    } else if (code === 0x5d || code === 0x7d) {
      depth--;
    }
  }
  return { depth: deepest, exactNumbers };
}

/** The same JSON text with each number that a double may not hold in a string of its own that begins with `mark`. */
export function withExactNumbersQuoted(text: string, mark: string): string {
  const parts: string[] = [];
  let copied = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === quote) {
      index = endOfString(text, index);
      continue;
    }
    if (code !== minus && !isDigit(code)) continue;
    const { end, exact } = numberAt(text, index);
    if (exact) {
      parts.push(text.slice(copied, index), `"${mark}${text.slice(index, end)}"`);
      copied = end;
    }
    index = end - 1;
  }
  parts.push(text.slice(copied));
  return parts.join('');
}

/** The end of the number that begins at `start`, and whether it has an exponent, or too many digits for a double. */
function numberAt(text: string, start: number): { end: number; exact: boolean } {
  let digits = 0;
  let hasExponent = false;
  for (let end = start; ; end++) {
    const code = text.charCodeAt(end);
    if (isDigit(code)) digits++;
    else if (isExponent(code)) hasExponent = true;
    else if (code !== minus && code !== plus && code !== point)
      return { end, exact: hasExponent || digits > digitsOfADouble };
  }
}

/** The index of the quote that closes the string opened at `start`. */
function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text.charCodeAt(index) !== quote) {
    index += text.charCodeAt(index) === backslash ? 2 : 1;
  }
  return index;
}
