import { styleText } from 'node:util';
import { wrapAnsi } from 'fast-wrap-ansi';
import { clip } from '../../lib/explain/clip.js';

type Format = Parameters<typeof styleText>[0];

/** The terminal's width in columns (a CI log has 80), and whether it has colours. */
export interface TextLayout {
  readonly columns: number;
  readonly colour: boolean;
}

/** How the parts of a terminal report are laid out. */
export interface Layout {
  readonly columns: number;
  /** Further findings of one requirement that are shown. */
  readonly findings: number;
  /** The text in a colour, if there is colour. */
  readonly paint: (format: Format, text: string) => string;
  /** A paragraph between a first line's beginning and the margin, its further lines under the first word. */
  readonly paragraph: (beginning: string, text: string, indent?: number) => string;
  /** The same for data; at most two lines of it. */
  readonly data: (beginning: string, text: string) => string;
}

/** Below the least nothing can be laid out; lines longer than the most are hard to read. */
const leastColumns = 40;
const mostColumns = 120;

export function layoutOf({ columns, colour }: TextLayout): Layout {
  const width = Math.min(mostColumns, Math.max(leastColumns, columns));
  const wrapped = (hard: boolean, beginning: string, text: string, indent = beginning.length): string => {
    const [first = '', ...rest] = wrapAnsi(text, width - indent, { hard }).split('\n');
    return [`${beginning}${first}`, ...rest.map((line) => `${' '.repeat(indent)}${line}`)].join('\n');
  };
  return {
    columns: width,
    findings: 12,
    paint: (format, text) => (colour ? styleText(format, text, { validateStream: false }) : text),
    // A word that is longer than the line stays whole: a path or a command can be copied.
    paragraph: (beginning, text, indent) => wrapped(false, beginning, text, indent),
    data: (beginning, text) => wrapped(true, beginning, clip(text, (width - beginning.length) * 2 - 2)),
  };
}

/** Plain text, each part of it in a line of its own, for places that wrap by themselves. */
export const plainLayout: Layout = {
  columns: 2_000,
  findings: Infinity,
  paint: (_, text) => text,
  paragraph: (beginning, text) => `${beginning}${text}`,
  data: (beginning, text) => `${beginning}${clip(text, 2_000)}`,
};
