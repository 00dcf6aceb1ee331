import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { indexText, pageText } from '../../lib/explain/page-text.js';
import type { Page } from '../../lib/explain/page.js';
import { pagesFile } from '../../lib/explain/read-pages.js';
import { requirementIds } from '../../lib/specification/catalogue.js';
import { pageExamples } from './requirement-page/page-examples.js';
import { staticPage } from './requirement-page/static-page.js';

/**
 * `npm run pages`: writes `docs/requirements`, a page for each requirement, with exchanges that the suite really had with the
 * reference service and its faults.
 */
const project = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(project, 'docs', 'requirements');
const specification = readFileSync(join(project, 'docs', 'specification.md'), 'utf8');

const pages: Page[] = [];
for (const id of requirementIds) {
  const { bugs, fix, ...before } = staticPage(id, specification);
  pages.push({ ...before, ...(await pageExamples(id)), bugs, fix });
  process.stderr.write(`${id}\n`);
}
// The page of a requirement that is gone goes with it.
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
writeFileSync(join(project, pagesFile), `${JSON.stringify(pages, null, 2)}\n`);
writeFileSync(join(folder, 'README.md'), indexText(pages));
for (const page of pages) writeFileSync(join(folder, `${page.id}.md`), pageText(page));
