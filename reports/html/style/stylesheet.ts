import { charts } from './charts.js';
import { colours } from './colours.js';
import { evidence } from './finding.js';
import { page } from './page.js';
import { print } from './print.js';
import { requirements } from './requirements.js';

/** The report's whole style, one text: its hash stands in the Content-Security-Policy. */
export const stylesheet = [colours, page, requirements, evidence, charts, print]
  .join('')
  .replaceAll(/\n\s*/g, '\n')
  .trim();
