import type { JsonLine } from './json-lines.js';

/**
 * The lines that a JSON pointer marks: the whole value, or the first line of the object that lacks it, with the name that
 * is missing there. None if the body has nothing like it.
 */
export function markedLines(
  lines: readonly JsonLine[],
  pointer: string,
): { readonly marked: readonly number[]; readonly missing?: string } {
  if (pointer === '') return { marked: [] };
  const value = lines.flatMap((line, index) =>
    line.pointer === pointer || line.pointer.startsWith(`${pointer}/`) ? [index] : [],
  );
  if (lines.some((line) => line.pointer === pointer)) return { marked: value };
  const parent = pointer.slice(0, pointer.lastIndexOf('/'));
  const holder = lines.findIndex((line) => line.pointer === parent && line.text.includes('{'));
  if (holder < 0) return { marked: [] };
  const name = pointer.slice(parent.length + 1);
  return { marked: [holder], missing: name.replaceAll('~1', '/').replaceAll('~0', '~') };
}
