import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { packageFile } from '../run/suite-name.js';
import { pageSchema, type Page } from './page.js';

/** Of the package, in a checkout and as it is installed. */
export const pagesFile = 'docs/requirements/requirements.json';

/** The pages of all requirements, in the order of the catalogue. */
export function readPages(): Page[] {
  return z.array(pageSchema).parse(JSON.parse(readFileSync(packageFile(pagesFile), 'utf8')));
}
