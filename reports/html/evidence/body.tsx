import { applyEdits, findNodeAtLocation, format, parseTree } from 'jsonc-parser';
import type { JSX } from 'preact';
import { jsonOf } from '../../../lib/evidence/record/record-text.js';
import { clip } from '../../../lib/explain/clip.js';
import { printable } from '../../../lib/explain/printable.js';
import { isDeeper } from '../../../lib/specification/json-value.js';
import { count } from '../../text.js';

/** Lines that are shown, so many of them before the first marked one, and the columns of each. */
const shownLines = 24;
const shownBefore = 8;
const longestLine = 1_000;

interface BodyProperties {
  readonly text: string;
  /** The JSON pointer of what is marked. */
  readonly pointer?: string | undefined;
}

/** The lines of a body that matter: those around what is marked, or its beginning. */
export function Body({ text, pointer = '' }: BodyProperties): JSX.Element {
  const { lines, first = 0, last = -1 } = linesOfBody(text, pointer);
  const begin = Math.max(0, first - shownBefore);
  const shown = lines.slice(begin, begin + shownLines).map((line, index) => {
    const content = line.trimStart();
    const words = <bdi>{printable(clip(content, longestLine))}</bdi>;
    const isMarked = begin + index >= first && begin + index <= last;
    return [' '.repeat(line.length - content.length), isMarked ? <mark>{words}</mark> : words, '\n'];
  });
  const leftOut = (number: number) => number > 0 && <i>{`… ${count(number, 'line')} left out …\n`}</i>;
  return (
    <pre>
      {leftOut(begin)}
      {shown}
      {leftOut(lines.length - begin - shown.length)}
    </pre>
  );
}

/** A body in lines, and the first and the last line of what a JSON pointer names in it. */
interface BodyLines {
  readonly lines: readonly string[];
  /** If the named value is not there, the beginning of what lacks it. */
  readonly first?: number;
  readonly last?: number;
}

/** A longer text is not laid out. Deeper nesting is hostile, not data. */
const longestLaidOut = 64_000;
const deepestLaidOut = 32;

/**
 * A body in lines, those of JSON laid out, its own tokens untouched: every digit, every escape, every duplicate key stays as
 * it was sent. What is not JSON, or so long or nested that nobody reads it, stays as it came.
 * @param pointer of RFC 6901; empty marks nothing
 */
export function linesOfBody(text: string, pointer: string): BodyLines {
  if (text.length > longestLaidOut || isDeeper(text, deepestLaidOut) || jsonOf(text) === undefined)
    return { lines: text.split('\n') };
  const layout = { insertSpaces: true, tabSize: 2, eol: '\n' };
  const shown = applyEdits(text, format(text, undefined, layout)).trim();
  const lines = shown.split('\n');
  const [, ...path] = pointer.split('/').map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  let node = path.length > 0 ? parseTree(shown) : undefined;
  if (!node) return { lines };
  const lineOf = (offset: number): number => shown.slice(0, offset).split('\n').length - 1;
  for (const token of path) {
    const inner = findNodeAtLocation(node, [node.type === 'array' ? Number(token) : token]);
    if (!inner) return { lines, first: lineOf(node.offset), last: lineOf(node.offset) };
    node = inner;
  }
  return { lines, first: lineOf(node.offset), last: lineOf(node.offset + node.length) };
}
