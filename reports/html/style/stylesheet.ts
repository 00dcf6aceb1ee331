import { charts } from './charts.js';
import { colours } from './colours.js';
import { evidence } from './finding.js';
import { page } from './page.js';
import { printStyle, type RunningHead } from './print.js';
import { requirements } from './requirements.js';

/** The report's whole style, one text: its hash stands in the Content-Security-Policy. */
export function stylesheet(head: RunningHead): string {
  return [colours, page, requirements, evidence, charts, printStyle(head)]
    .join('')
    .replaceAll(/\n\s*/g, '\n')
    .trim();
}
