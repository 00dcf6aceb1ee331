import type { RunRecord } from './record.js';

/**
 * A record as the text of `report.json`. Half of a surrogate pair, as a target may show it in a name, is not
 * Unicode text. Strict JSON parsers refuse it, so U+FFFD replaces it. The evidence keeps the body as it came.
 */
export function recordText(record: RunRecord): string {
  const wellFormed = (_key: string, value: unknown): unknown =>
    typeof value === 'string' ? value.toWellFormed() : value;
  return `${JSON.stringify(record, wellFormed, 2)}\n`;
}
