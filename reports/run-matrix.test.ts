import { stripVTControlCharacters } from 'node:util';
import { marked } from 'marked';
import stringWidth from 'string-width';
import { expect, it } from 'vitest';
import { catalogue } from '../lib/specification/catalogue.js';
import type { RunRecord } from '../lib/record/record.js';
import { matrixMarkdown, matrixOf, matrixText } from './run-matrix.js';
import { hostileName } from './testing/sample-exchanges.js';
import { conformingRecord, faultyRecord } from './testing/sample-record.js';

const named = (record: RunRecord, name: string): RunRecord => ({
  ...record,
  target: { ...record.target, name },
});
const runs = [named(conformingRecord(), 'good'), named(faultyRecord(), hostileName)];

it('has a row for each requirement with what each run says of it, and a gap where one does not know it', () => {
  const older = conformingRecord();
  older.requirements = older.requirements.filter(({ id }) => id !== 'GET-01');
  const { rows } = matrixOf([...runs, older]);
  expect(rows.map(({ requirement }) => requirement.id)).toEqual(catalogue.map(({ id }) => id));
  const verdictsOf = (id: string) =>
    rows.find(({ requirement }) => requirement.id === id)?.results.map((result) => result?.verdict);
  expect(verdictsOf('LIST-02')).toEqual(['pass', 'fail', 'pass']);
  expect(verdictsOf('GET-01')).toEqual(['pass', 'pass', undefined]);
});

it('shows the runs in numbered columns on a terminal, fifteen of them in 80 columns', () => {
  const text = matrixText(matrixOf(runs), { columns: 80, colour: false });
  expect(text).toMatch(/^LIST-02 {5}MUST {7}✓ {3}✗ {2}`limit=n`/mu);
  expect(text).toMatch(/^LIST-09 {5}MUST {7}✓ {3}~/mu);
  expect(text).toContain('  1  good: conformant');
  const many = matrixOf(Array.from({ length: 15 }, () => conformingRecord()));
  const wide = stripVTControlCharacters(matrixText(many, { columns: 80, colour: true }));
  expect(wide.split('\n').filter((line) => stringWidth(line) > 80)).toEqual([]);
});

it('is a Markdown page in which a target with a hostile name stays text', async () => {
  const html = await marked.parse(matrixMarkdown(matrixOf(runs)), { gfm: true });
  expect(html.match(/<tr>/gu)).toHaveLength(1 + 3 + 1 + catalogue.length);
  expect(html).toContain('<strong>✗</strong> fail');
  expect(html).not.toMatch(/<(?:script|img|a)\b/u);
});
