import { isDeeper } from '../../../lib/specification/json-text.js';

/** One line of a JSON text laid out for reading. */
export interface JsonLine {
  readonly depth: number;
  readonly text: string;
  /** The value that begins, or whose bracket closes, on this line: a JSON pointer (RFC 6901). */
  readonly pointer: string;
}

/** Deeper nesting is hostile, not data: such a text is shown as it came. */
const deepestLaidOut = 32;

interface Container {
  readonly pointer: string;
  readonly array: boolean;
  index: number;
  keyExpected: boolean;
}

const token = /"(?:[^"\\]+|\\[\s\S])*"?|[{}[\],:]|[^\s{}[\],:"]+/g;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * A JSON text in lines, its own tokens untouched: every digit, every escape, every duplicate key stays as it was sent.
 * Undefined if the text is not JSON, or nests so deep that nobody reads it.
 */
export function jsonLines(text: string): JsonLine[] | undefined {
  if (!isJson(text) || isDeeper(text, deepestLaidOut)) return undefined;
  const tokens = text.match(token) ?? [];
  const lines: JsonLine[] = [];
  const open: Container[] = [];
  let line = { depth: 0, text: '', pointer: '' };
  const begin = (): void => {
    const { pointer = '', array, index } = open.at(-1) ?? {};
    lines.push(line);
    line = { depth: open.length, text: '', pointer: array ? `${pointer}/${index}` : pointer };
  };
  for (let position = 0; position < tokens.length; position++) {
    const part = tokens[position] ?? '';
    const container = open.at(-1);
    const next = tokens[position + 1] ?? '';
    if (/^[{[]$/.test(part) && /^[}\]]$/.test(next)) {
      line.text += part + next;
      position++;
    } else if (part === '{' || part === '[') {
      line.text += part;
      open.push({ pointer: line.pointer, array: part === '[', index: 0, keyExpected: part === '{' });
      begin();
    } else if (part === '}' || part === ']') {
      open.pop();
      begin();
      line = { depth: open.length, text: part, pointer: container?.pointer ?? '' };
    } else if (part === ',' && container) {
      line.text += part;
      container.index++;
      container.keyExpected = !container.array;
      begin();
    } else if (part === ':') {
      line.text += ': ';
    } else {
      if (container?.keyExpected) {
        const name = String(JSON.parse(part)).replaceAll('~', '~0').replaceAll('/', '~1');
        line.pointer = `${container.pointer}/${name}`;
        container.keyExpected = false;
      }
      line.text += part;
    }
  }
  return [...lines, line];
}
