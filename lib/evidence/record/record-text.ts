/**
 * A record, or a part of one, as JSON: `report.json`. Half of a surrogate pair, as a target may show it in a name, is not
 * Unicode text. Strict JSON parsers refuse it, so U+FFFD replaces it. The evidence keeps the body as it came.
 */
export function recordText(record: object): string {
  const wellFormed = (_key: string, value: unknown): unknown =>
    typeof value === 'string' ? value.toWellFormed() : value;
  return `${withoutControls(JSON.stringify(record, wellFormed, 2))}\n`;
}

/** A JSON text with an escape for each of U+007F to U+009F, which JSON leaves as they are and some terminals obey. */
export function withoutControls(json: string): string {
  return json.replaceAll(/[\u007F-\u009F]/gu, (control) => `\\u00${control.charCodeAt(0).toString(16)}`);
}

/** The value of a JSON text; undefined if it is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
