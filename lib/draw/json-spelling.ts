import { writeJson } from '../specification/json-value.js';

/** Writes an object as JSON text. */
export type Spelling = (members: Readonly<Record<string, unknown>>) => string;

/** The members of an object, each as JSON text. */
function written(
  members: Parameters<Spelling>[0],
  colon = ':',
  string: (text: string) => string = JSON.stringify,
): string[] {
  return Object.entries(members).map(
    ([name, value]) => string(name) + colon + (typeof value === 'string' ? string(value) : writeJson(value)),
  );
}

/** Every unit of UTF-16 as an escape (RFC 8259 7). */
function escaped(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`;
}

/** Other spellings of one JSON object, which every reader of JSON takes for the same (RFC 8259 2, 4 and 7). */
export const spellings: readonly Spelling[] = [
  (members) => ` \r\n{\n\t${written(members, ' : ').join(' , ')}\r\n} \n`,
  (members) => `{${written(members).toReversed().join(',')}}`,
  (members) => `{${written(members, ':', escaped).join(',')}}`,
];
