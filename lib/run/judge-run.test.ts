import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunRecord } from '../evidence/record/record.js';
import { recordText } from '../evidence/record/regular-file.js';
import { proveAgainst } from '../proof/prove.js';
import { faults } from '../reference/faults/faults.js';
import { readFinishedRun } from '../../reports/finished-run.js';
import { writeRun } from '../evidence/record/run-files.js';
import { judgeRun, type RecordedRun } from './judge-again.js';

const folder = mkdtempSync(join(tmpdir(), 'petstore-judge-'));
const directory = join(folder, 'old');
let old: RunRecord;

/** A run of an older version, whose rules passed what this one fails. */
beforeAll(async () => {
  const { options = {} } = faults.find(({ name }) => name === 'name-optional') ?? {};
  const record = await proveAgainst(options, {
    settings: { directory, profile: 'quick', only: ['CREATE-05', 'LIST-02'] },
  });
  const requirements = record.requirements.map((row) =>
    row.id === 'CREATE-05' ? { ...row, verdict: 'pass' as const, findings: [] } : row,
  );
  old = { ...record, suite: { ...record.suite, version: '0.0.9' }, requirements, verdict: 'partial' };
  await writeFile(join(directory, 'report.json'), recordText(old));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function read(from: string): Promise<RecordedRun> {
  const { record, exchanges } = await readFinishedRun(from);
  return { record, directory: from, exchanges: exchanges() };
}

it('judges the run of an older version by the rules of this one, and says what is otherwise now', async () => {
  const { record } = await judgeRun({ ...(await read(directory)), record: old });
  expect(record.verdict).toBe('non-conformant');
  expect(record.suite.version).not.toBe('0.0.9');
  expect(record.notes?.[0]).toMatch(
    /^Judged by petstore-conformance \S+ from the evidence of run \S+, which 0\.0\.9 made: CREATE-05 pass then, fail now\.$/,
  );
});

it('writes the files of a run, which can be judged once more', async () => {
  const output = join(folder, 'new');
  writeRun(output, await judgeRun({ ...(await read(directory)), record: old }));
  const lines = async (of: string): Promise<number> =>
    (await readFile(join(of, 'exchanges.jsonl'), 'utf8')).split('\n').length;
  expect(await lines(output)).toBe(await lines(directory));
  const again = await read(output);
  const { notes: [note] = [] } = (await judgeRun(again)).record;
  expect(note).toContain('each verdict is the same');
  expect(() => writeRun(output, again)).toThrow('--overwrite');
});
