import { applyEdits, findNodeAtLocation, format, parseTree } from 'jsonc-parser';
import { isDeeper } from '../../../lib/specification/json-value.js';

/** A JSON text laid out for reading, and the lines of what a JSON pointer names in it. */
export interface LaidOutJson {
  readonly lines: readonly string[];
  /** Of the named value or, if it is not there, of the beginning of what lacks it. */
  readonly marked: { readonly first: number; readonly last: number } | undefined;
}

/** Deeper nesting is hostile, not data: such a text is shown as it came. */
const deepestLaidOut = 32;

/**
 * A JSON text in lines, its own tokens untouched: every digit, every escape, every duplicate key stays as it was sent.
 * Undefined if the text is not JSON, or nests so deep that nobody reads it.
 * @param pointer of RFC 6901; empty marks nothing
 */
export function jsonLines(text: string, pointer: string): LaidOutJson | undefined {
  if (isDeeper(text, deepestLaidOut) || !isJson(text)) return undefined;
  const layout = { insertSpaces: true, tabSize: 2, eol: '\n' };
  const shown = applyEdits(text, format(text, undefined, layout)).trim();
  return { lines: shown.split('\n'), marked: pointer === '' ? undefined : placeOf(pointer, shown) };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function placeOf(pointer: string, text: string): LaidOutJson['marked'] {
  const [, ...path] = pointer.split('/').map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  let node = parseTree(text);
  let isThere = true;
  for (const token of path) {
    const inner = node && findNodeAtLocation(node, [node.type === 'array' ? Number(token) : token]);
    isThere = isThere && inner !== undefined;
    if (isThere) node = inner;
  }
  if (!node) return undefined;
  const lineOf = (offset: number): number => text.slice(0, offset).split('\n').length - 1;
  const first = lineOf(node.offset);
  return { first, last: isThere ? lineOf(node.offset + node.length) : first };
}
