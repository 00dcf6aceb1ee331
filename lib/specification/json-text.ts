/** A string, a number or a bracket of a text that is known to be JSON (RFC 8259). */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|[[\]{}]/gs;

/** A double holds every integer of 15 digits, but not every integer of 16. */
const digitsOfADouble = 15;

/** Whether a double may not hold the number: it has an exponent, or too many digits. */
function isExact(number: string): boolean {
  return /e/i.test(number) || number.replaceAll(/\D/g, '').length > digitsOfADouble;
}

/** Whether arrays and objects of a JSON text nest deeper than a bound. Linear and without recursion. */
export function isDeeper(text: string, bound: number): boolean {
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

/** The same JSON text with each number that a double may not hold in a string of its own that begins with `mark`. */
export function withExactNumbersQuoted(text: string, mark: string): string {
  return text.replaceAll(tokens, (token) =>
    /^[-\d]/.test(token) && isExact(token) ? `"${mark}${token}"` : token,
  );
}

/** What looks like such a number: nearly all texts have none, and need no second reading. It may stand in a string, too. */
export const exactNumbers = /((?:^|[:,[])\s*)(-?(?:\d[\d.]{15}|\d[\d.]*[eE])[\d.eE+-]*)(?=\s*(?:[,}\]]|$))/g;
