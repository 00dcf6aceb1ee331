import { readdirSync, readFileSync } from 'node:fs';

/** The text of the files in `style`, which the build puts in this place. */
declare const reportStyle: string | undefined;

/** The page's whole style, one text: its hash stands in the Content-Security-Policy. */
export const stylesheet =
  typeof reportStyle === 'string' ? reportStyle : textOf(new URL('style/', import.meta.url));

/** The files in the order of their names: no rule of one overrides a rule of another. */
function textOf(folder: URL): string {
  const files = readdirSync(folder).toSorted();
  return files.map((file) => readFileSync(new URL(file, folder), 'utf8')).join('\n');
}
