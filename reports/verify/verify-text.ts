import { layoutOf, type TextLayout } from '../terminal/layout.js';
import { logText, printableDeep } from '../../lib/usage/printable.js';
import type { Verification } from './verify-run.js';

const conclusions = {
  0: ['green', 'Proved: no file was changed, and the exchanges give the recorded verdicts.'],
  1: ['red', 'Not proved: the evidence contradicts the run.'],
  3: ['yellow', 'Not proved: nothing contradicts the run, but the evidence is not whole.'],
} as const;

/** The conclusion of a load, say, or of a run of a few probes. */
const nothingJudged = 'Proved: no file was changed. The run has no verdict that follows from its exchanges.';

/** What a verification found, for a terminal; its conclusion as the last line. */
export function verificationText(verification: Verification, options: TextLayout): string {
  const { code, remarks, confirmed } = printableDeep(verification);
  const layout = layoutOf(options);
  const [colour, conclusion] = conclusions[code];
  const last = code === 0 && confirmed.length === 0 ? nothingJudged : conclusion;
  return logText([
    '',
    ...remarks.map(({ mark, text }) => layout.paragraph(`${mark} `, text)),
    layout.paint(['bold', colour], layout.paragraph('', last)),
    '',
  ]);
}
