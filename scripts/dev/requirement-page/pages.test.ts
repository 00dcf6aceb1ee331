import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { indexText, pageText } from '../../../lib/explain/page-text.js';
import { readPages } from '../../../lib/explain/read-pages.js';
import { packageFile } from '../../../lib/run/suite-name.js';
import { requirementIds } from '../../../lib/specification/catalogue.js';
import { staticPage } from './static-page.js';

/** If one of these fails, run `npm run pages` and commit what it writes. */

const text = (path: string): string => readFileSync(packageFile(path), 'utf8');
const pages = readPages();

it('there is a page for each requirement, and no other', () => {
  expect(pages.map(({ id }) => id)).toEqual(requirementIds);
  const files = readdirSync(packageFile('docs/requirements'));
  expect(files.toSorted()).toEqual(
    ['README.md', 'requirements.json', ...requirementIds.map((id) => `${id}.md`)].toSorted(),
  );
});

it('the pages are as their data is', () => {
  expect(text('docs/requirements/README.md')).toBe(indexText(pages));
  for (const page of pages) expect(text(`docs/requirements/${page.id}.md`)).toBe(pageText(page));
});

it('what the pages say without a run is up to date', () => {
  const specification = text('docs/specification.md');
  const examples = new Set(['conforming', 'failing']);
  const said = pages.map((page) =>
    Object.fromEntries(Object.entries(page).filter(([name]) => !examples.has(name))),
  );
  expect(said).toEqual(requirementIds.map((id) => staticPage(id, specification)));
});

it('a page shows how the requirement fails, unless nothing can', () => {
  const without = pages.filter(({ failing }) => failing === undefined).map(({ id }) => id);
  const observed = pages.filter(({ level }) => level === 'OBSERVE').map(({ id }) => id);
  expect(without).toEqual(observed);
});

it('no page holds a key or the address of a run', () => {
  expect(JSON.stringify(pages)).not.toMatch(/pets_proof_|pets_other_|127\.0\.0\.1/);
});
