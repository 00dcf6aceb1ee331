import { logText, printableDeep } from '../../lib/explain/printable.js';
import { layoutOf, type TextLayout } from '../terminal/layout.js';

/** 0: proved. 1: the evidence contradicts the run. 3: nothing contradicts it, but the evidence is not whole. */
export type VerificationCode = 0 | 1 | 3;

/** One thing that was checked, and the exit code that it asks for. */
export interface Remark {
  readonly mark: '✓' | '✗' | '!' | ' ';
  readonly text: string;
  readonly code: VerificationCode;
}

export const fine = (text: string): Remark => ({ mark: '✓', text, code: 0 });
export const note = (text: string): Remark => ({ mark: ' ', text, code: 0 });
export const attention = (text: string): Remark => ({ mark: '!', text, code: 0 });
export const contradicted = (text: string): Remark => ({ mark: '✗', text, code: 1 });
export const notWhole = (text: string): Remark => ({ mark: '!', text, code: 3 });

/** What all remarks together ask for. */
export function codeOf(remarks: readonly Remark[]): VerificationCode {
  const codes = new Set(remarks.map(({ code }) => code));
  return codes.has(1) ? 1 : codes.has(3) ? 3 : 0;
}

interface Verified {
  readonly code: VerificationCode;
  readonly remarks: readonly Remark[];
}

const conclusions = {
  0: ['green', 'Proved: no file was changed, and what was judged follows from the exchanges.'],
  1: ['red', 'Not proved: the evidence contradicts the run.'],
  3: ['yellow', 'Not proved: nothing contradicts the run, but the evidence is not whole.'],
} as const;

/** What a verification found, for a terminal; its conclusion as the last line. */
export function verificationText(verification: Verified, options: TextLayout): string {
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
