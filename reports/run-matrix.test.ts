import { marked } from 'marked';
import { expect, it } from 'vitest';
import type { RunRecord } from '../lib/evidence/record/record.js';
import { catalogue } from '../lib/specification/catalogue.js';
import { runMatrix } from './run-matrix.js';
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
  const cellsOf = (id: string) => {
    const row = runMatrix([...runs, older])
      .split('\n')
      .find((line) => line.startsWith(`| ${id} `));
    return row
      ?.split(/(?<!\\)\|/u)
      .slice(4, -1)
      .map((cell) => cell.trim());
  };
  expect(cellsOf('LIST-02')).toEqual(['✓', '**✗** failed', '✓']);
  expect(cellsOf('LIST-09')).toEqual(['✓', '**~** waived', '✓']);
  expect(cellsOf('GET-01')).toEqual(['✓', '✓', '']);
});

it('is a Markdown page in which a target with a hostile name stays text', async () => {
  const html = await marked.parse(runMatrix(runs), { gfm: true });
  expect(html.match(/<tr>/gu)).toHaveLength(1 + 3 + 1 + catalogue.length);
  expect(html).toContain('<strong>✗</strong> fail');
  expect(html).not.toMatch(/<(?:script|img|a)\b/u);
});
