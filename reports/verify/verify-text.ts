import { layoutOf, type TextLayout } from '../terminal/layout.js';
import { logText, printableDeep } from '../../lib/explain/printable.js';
import type { Verification } from './verify-run.js';

const colours = { 0: 'green', 1: 'red', 3: 'yellow' } as const;

/** What a verification found, for a terminal; its conclusion as the last line. */
export function verificationText(verification: Verification, options: TextLayout): string {
  const { code, remarks, conclusion } = printableDeep(verification);
  const layout = layoutOf(options);
  return logText([
    '',
    ...remarks.map(({ mark, text }) => layout.paragraph(`${mark} `, text)),
    layout.paint(['bold', colours[code]], layout.paragraph('', conclusion)),
    '',
  ]);
}
