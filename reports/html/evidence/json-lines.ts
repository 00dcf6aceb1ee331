import { jsonShape } from '../../../lib/specification/json-text.js';

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

function memberPointer(container: Container, key: string): string {
  const name: unknown = JSON.parse(key);
  return `${container.pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/**
 * A JSON text in lines, its own tokens untouched: every digit, every escape, every duplicate key stays as it was sent.
 * `undefined` if the text is not JSON, or nests so deep that nobody reads it.
 */
export function jsonLines(text: string): JsonLine[] | undefined {
  if (!isJson(text) || jsonShape(text).depth > deepestLaidOut) return undefined;
  const tokens = text.match(token) ?? [];
  const lines: JsonLine[] = [];
  const open: Container[] = [];
  let line = { depth: 0, text: '', pointer: '' };
  const push = (): void => {
    lines.push(line);
  };
  const begin = (container: Container | undefined): void => {
    const pointer = container?.array ? `${container.pointer}/${container.index}` : (container?.pointer ?? '');
    line = { depth: open.length, text: '', pointer };
  };
  for (let position = 0; position < tokens.length; position++) {
    const part = tokens[position] ?? '';
    const container = open.at(-1);
    const closes = tokens[position + 1] === '}' || tokens[position + 1] === ']';
    if ((part === '{' || part === '[') && closes) {
      line.text += `${part}${tokens[++position] ?? ''}`;
    } else if (part === '{' || part === '[') {
      line.text += part;
      push();
      const inner = { pointer: line.pointer, array: part === '[', index: 0, keyExpected: part === '{' };
      open.push(inner);
      begin(inner);
    } else if (part === '}' || part === ']') {
      push();
      open.pop();
      line = { depth: open.length, text: part, pointer: container?.pointer ?? '' };
    } else if (part === ',') {
      line.text += part;
      push();
      if (container) {
        container.index++;
        container.keyExpected = !container.array;
      }
      begin(container);
    } else if (part === ':') {
      line.text += ': ';
    } else {
      if (container?.keyExpected) {
        line.pointer = memberPointer(container, part);
        container.keyExpected = false;
      }
      line.text += part;
    }
  }
  push();
  return lines;
}
