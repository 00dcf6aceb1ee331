import { styleText } from 'node:util';
import { wrapAnsi } from 'fast-wrap-ansi';
import { clip } from '../../lib/explain/clip.js';

/** The width in columns (a CI log has 80), and whether there are colours. */
export interface TextLayout {
  readonly columns: number;
  readonly colour: boolean;
}

export type Layout = ReturnType<typeof layoutOf>;

/** Below it nothing can be laid out. */
const leastColumns = 40;

export function layoutOf({ columns, colour }: TextLayout) {
  const width = Math.max(leastColumns, columns);
  const wrapped = (hard: boolean, beginning: string, text: string, indent = beginning.length): string => {
    const [first = '', ...rest] = wrapAnsi(text, width - indent, { hard }).split('\n');
    return [`${beginning}${first}`, ...rest.map((line) => `${' '.repeat(indent)}${line}`)].join('\n');
  };
  return {
    columns: width,
    paint: (format: Parameters<typeof styleText>[0], text: string): string =>
      colour ? styleText(format, text, { validateStream: false }) : text,
    /** Text behind a beginning, its further lines under the first word. A longer word stays whole: a path can be copied. */
    paragraph: (beginning: string, text: string, indent?: number): string =>
      wrapped(false, beginning, text, indent),
    /** The same for data; at most two lines of it. */
    data: (beginning: string, text: string): string =>
      wrapped(true, beginning, clip(text, (width - beginning.length) * 2 - 2)),
  };
}

/** Plain text for places that wrap by themselves. */
export const plainLayout = layoutOf({ columns: 1_000, colour: false });
