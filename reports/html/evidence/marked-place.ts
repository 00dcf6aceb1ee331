import type { JsonLine } from './json-lines.js';

/** Where a finding's pointer leads in a body: to a value, or to the object that lacks it. */
export type MarkedPlace =
  | { readonly kind: 'value'; readonly pointer: string }
  | { readonly kind: 'missing'; readonly pointer: string; readonly name: string };

function parentOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'));
}

/** Finds the place that a JSON pointer names among a body's lines; `undefined` where the body has nothing like it. */
export function placeOf(lines: readonly JsonLine[], pointer: string): MarkedPlace | undefined {
  if (lines.some((line) => line.pointer === pointer)) return { kind: 'value', pointer };
  if (pointer === '') return undefined;
  const parent = parentOf(pointer);
  if (!lines.some((line) => line.pointer === parent && line.text.includes('{'))) return undefined;
  const name = pointer
    .slice(parent.length + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
  return { kind: 'missing', pointer: parent, name };
}

/** The lines that a mark covers: the whole value, or the first line of the object that lacks a member. */
export function isMarked(
  line: JsonLine,
  index: number,
  lines: readonly JsonLine[],
  place: MarkedPlace,
): boolean {
  if (place.kind === 'value') {
    return line.pointer === place.pointer || line.pointer.startsWith(`${place.pointer}/`);
  }
  return (
    line.pointer === place.pointer && lines.findIndex((each) => each.pointer === place.pointer) === index
  );
}
