import { logText, printableDeep } from '../../lib/explain/printable.js';
import { layoutOf, type TextLayout } from '../terminal/layout.js';

/** The exit code that each mark asks for. 1: the evidence contradicts the run. 3: it is not whole. */
const codes = { '✓': 0, ' ': 0, '!': 0, '✗': 1, '?': 3 } as const;
type Mark = keyof typeof codes;

/** One thing that was checked. */
export interface Remark {
  readonly mark: Mark;
  readonly text: string;
}

export const remark = (mark: Mark, text: string): Remark => ({ mark, text });

/** What a verification found. Its exit code is that of the gravest remark: a contradiction, else that something is missing. */
export type Verification = ReturnType<typeof verificationOf>;

export function verificationOf(remarks: readonly Remark[]) {
  const found = new Set<number>(remarks.map(({ mark }) => codes[mark]));
  return { code: found.has(1) ? 1 : found.has(3) ? 3 : 0, remarks } as const;
}

const conclusions = {
  0: ['green', 'Proved: no file was changed, and what was judged follows from the exchanges.'],
  1: ['red', 'Not proved: the evidence contradicts the run.'],
  3: ['yellow', 'Not proved: nothing contradicts the run, but the evidence is not whole.'],
} as const;

/** What a verification found, for a terminal; its conclusion as the last line. */
export function verificationText(verification: Verification, options: TextLayout): string {
  const { code, remarks } = printableDeep(verification);
  const [colour, conclusion] = conclusions[code];
  const layout = layoutOf(options);
  return logText([
    '',
    ...remarks.map(({ mark, text }) => layout.paragraph(`${mark} `, text)),
    layout.paint(['bold', colour], layout.paragraph('', conclusion)),
    '',
  ]);
}
