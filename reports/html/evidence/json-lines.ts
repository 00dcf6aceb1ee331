import { applyEdits, findNodeAtLocation, format, parseTree, type Node } from 'jsonc-parser';
import { isDeeper } from '../../../lib/specification/json-value.js';

/** A JSON text laid out for reading, and what a JSON pointer (RFC 6901) names in it. */
export interface LaidOutJson {
  readonly lines: readonly string[];
  /** The lines of the named value or, if it is not there, the first line of the object that lacks it. */
  readonly marked: readonly number[];
  /** The member that the marked object lacks. */
  readonly missing: string | undefined;
}

/** Deeper nesting is hostile, not data: such a text is shown as it came. */
const deepestLaidOut = 32;

/**
 * A JSON text in lines, its own tokens untouched: every digit, every escape, every duplicate key stays as it was sent.
 * Undefined if the text is not JSON, or nests so deep that nobody reads it.
 * @param pointer empty marks nothing
 */
export function jsonLines(text: string, pointer: string): LaidOutJson | undefined {
  if (!isJson(text) || isDeeper(text, deepestLaidOut)) return undefined;
  const layout = { insertSpaces: true, tabSize: 2, eol: '\n' };
  const shown = applyEdits(text, format(text, undefined, layout)).trim();
  const lines = shown.split('\n');
  const [, ...path] = pointer.split('/').map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  const root = parseTree(shown);
  const found = path.length > 0 ? nodeAt(root, path) : undefined;
  const parent = path.length > 0 && !found ? nodeAt(root, path.slice(0, -1)) : undefined;
  const holder = parent?.type === 'object' ? parent : undefined;
  const from = found?.offset ?? holder?.offset ?? -1;
  const to = found ? found.offset + found.length - 1 : from;
  let end = -1;
  const marked = lines.flatMap((line, index) => {
    const begin = end + 1;
    end = begin + line.length;
    return begin <= to && end > from ? [index] : [];
  });
  return { lines, marked, missing: holder && path.at(-1) };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function nodeAt(root: Node | undefined, path: readonly string[]): Node | undefined {
  return path.reduce(
    (node, token) => node && findNodeAtLocation(node, [node.type === 'array' ? Number(token) : token]),
    root,
  );
}
