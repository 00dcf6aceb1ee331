/**
 * A record, or a part of one, as JSON: `report.json`. Half of a surrogate pair, as a target may show it in a name, is not
 * Unicode text. Strict JSON parsers refuse it, so U+FFFD replaces it. The evidence keeps the body as it came.
 */
export function recordText(record: object): string {
  const wellFormed = (_key: string, value: unknown): unknown =>
    typeof value === 'string' ? value.toWellFormed() : value;
  return `${JSON.stringify(record, wellFormed, 2)}\n`;
}

/** The value of a JSON text; undefined if it is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
