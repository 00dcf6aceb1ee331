import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordText } from '../lib/evidence/record/regular-file.js';
import type { RunRecord } from '../lib/evidence/record/record.js';
import { renderTerminal } from './terminal/terminal-report.js';
import { conformingRecord, recordOf, sampleRows } from './testing/sample-record.js';
import { withPreviousRun } from './compare.js';

let runs: string;

beforeEach(async () => {
  runs = await mkdtemp(join(tmpdir(), 'petstore-previous-'));
});
afterEach(() => rm(runs, { recursive: true, force: true }));

async function written(name: string, record: RunRecord): Promise<string> {
  await mkdir(join(runs, name));
  await writeFile(join(runs, name, 'report.json'), recordText(record));
  return join(runs, name);
}

const at = (record: RunRecord, startedAt: string, run: Partial<RunRecord['run']> = {}): RunRecord => ({
  ...record,
  run: { ...record.run, id: startedAt, startedAt, ...run },
});

const finding = { message: 'wrong', exchanges: [] };
const failing = recordOf(
  sampleRows({
    'LIST-02': { verdict: 'fail', findings: [finding] },
    'LIST-03': { verdict: 'inconclusive', reason: 'lost' },
  }),
);
const later = recordOf(
  sampleRows({
    'AUTH-01': { verdict: 'fail', findings: [finding] },
    'LIST-04': { verdict: 'not-tested', reason: 'not selected (--only)', selected: false },
  }),
);

test('what broke and what was fixed since the last finished run of the same target is in the record', async () => {
  await written('1', at(conformingRecord(), '2026-03-01T00:00:00.000Z'));
  await written('2', at(failing, '2026-03-02T00:00:00.000Z'));
  await written('3', at(conformingRecord(), '2026-03-03T00:00:00.000Z', { complete: false }));
  const other = at(conformingRecord(), '2026-03-04T00:00:00.000Z');
  await written('4', { ...other, target: { ...other.target, name: 'production' } });
  const own = await written('5', at(later, '2026-03-05T00:00:00.000Z'));
  await written('6', at(conformingRecord(), '2026-03-06T00:00:00.000Z'));
  await mkdir(join(runs, 'no-run'));
  await writeFile(join(runs, 'no-folder'), '');
  const record = await withPreviousRun(at(later, '2026-03-05T00:00:00.000Z'), own);
  expect(record.previous).toEqual({
    id: '2026-03-02T00:00:00.000Z',
    startedAt: '2026-03-02T00:00:00.000Z',
    broke: ['AUTH-01'],
    fixed: ['LIST-02'],
    otherwise: ['LIST-03'],
  });
  expect(renderTerminal(record, { columns: 80, colour: false }).replaceAll(/\s+/gu, ' ')).toContain(
    'Since 2026-03-02 00:00:00 UTC broke: AUTH-01; fixed: LIST-02; newly or no longer judged: LIST-03.',
  );
});

test('a whole run goes before those of some requirements after it', async () => {
  await written('1', at(conformingRecord(), '2026-03-01T00:00:00.000Z'));
  const options = { only: ['LIST-02'], except: [], consistencyMs: 2_000 };
  await written('2', at(failing, '2026-03-02T00:00:00.000Z', { options }));
  const own = await written('3', at(later, '2026-03-03T00:00:00.000Z'));
  const { previous } = await withPreviousRun(at(later, '2026-03-03T00:00:00.000Z'), own);
  expect(previous).toMatchObject({ startedAt: '2026-03-01T00:00:00.000Z', broke: ['AUTH-01'] });
});

test('a target that was given by its address alone is the same if the address is', async () => {
  const unnamed = (record: RunRecord, baseUrl: string) => ({
    ...record,
    target: { ...record.target, name: 'target', baseUrl },
  });
  await written('1', unnamed(at(failing, '2026-03-01T00:00:00.000Z'), 'http://127.0.0.1:1/v1'));
  const now = at(failing, '2026-03-05T00:00:00.000Z');
  const own = await written('2', now);
  expect((await withPreviousRun(unnamed(now, 'http://127.0.0.1:2/v1'), own)).previous).toBeUndefined();
  expect((await withPreviousRun(unnamed(now, 'http://127.0.0.1:1/v1'), own)).previous).toMatchObject({
    broke: [],
    fixed: [],
    otherwise: [],
  });
});

test('without another run, or in a folder that is gone, the record stays as it is', async () => {
  const record = conformingRecord();
  expect(await withPreviousRun(record, join(runs, '1'))).toBe(record);
  expect(await withPreviousRun(record, join(runs, 'gone', '1'))).toBe(record);
});
