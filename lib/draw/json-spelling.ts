import { writeJson } from '../specification/json-value.js';

export type Spelling = (members: Readonly<Record<string, unknown>>) => string;

/** The members of an object, each as JSON text. */
function written(members: Parameters<Spelling>[0], colon = ':', text = writeJson): string[] {
  return Object.entries(members).map(([name, value]) => text(name) + colon + text(value));
}

/** Every unit of UTF-16 in a string as an escape (RFC 8259 7). */
function escaped(value: unknown): string {
  if (typeof value !== 'string') return writeJson(value);
  const units = value.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
  return `"${units.map((unit) => `\\u${unit}`).join('')}"`;
}

/** Other spellings of one JSON object, which every reader of JSON takes for the same (RFC 8259 2, 4 and 7). */
export const spellings: readonly Spelling[] = [
  (members) => ` \r\n{\n\t${written(members, ' : ').join(' , ')}\r\n} \n`,
  (members) => `{${written(members).toReversed().join(',')}}`,
  (members) => `{${written(members, ':', escaped).join(',')}}`,
];
