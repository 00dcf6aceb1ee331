import { readFileSync } from 'node:fs';

/** The text of `report.css`, which the build puts in this place. */
declare const reportStyle: string | undefined;

const text =
  typeof reportStyle === 'string'
    ? reportStyle
    : readFileSync(new URL('report.css', import.meta.url), 'utf8');

/** The page's whole style, one text: its hash stands in the Content-Security-Policy. */
export const stylesheet = text
  .replaceAll(/\/\*.*?\*\//gsu, '')
  .replaceAll(/\s*\n\s*/gu, '\n')
  .trim();
