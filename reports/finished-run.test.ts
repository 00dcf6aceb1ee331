import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { RecordedExchange } from '../lib/evidence/recorded-exchange.js';
import { UnreadableRun } from '../lib/evidence/record/regular-file.js';
import { notTestedResult } from '../lib/verdict/judgement.js';
import { exchangeOf } from '../lib/verdict/testing/exchange.js';
import { readFinishedRun, withRequestsBehind } from './finished-run.js';
import { sampleExchanges } from './testing/sample-exchanges.js';
import { conformingRecord, faultyRecord } from './testing/sample-record.js';
import { sampleRun } from './testing/sample-folder.js';

it('gives the record and every exchange as they were written, and those that were asked for by id', async () => {
  const run = await sampleRun();
  expect(run.record).toEqual(faultyRecord());
  expect(run.exchanges().map(({ line }) => line)).toEqual(sampleExchanges());
  expect([...(await run.exchangesById(['e16', 'e2', 'e999'])).keys()]).toEqual(['e2', 'e16']);
  expect(await run.exchangesById([])).toEqual(new Map());
});

it('passes over a last line that was cut off with the run, and over a missing file of exchanges', async () => {
  const whole = faultyRecord();
  const { directory } = await sampleRun({ ...whole, run: { ...whole.run, complete: false } });
  const file = join(directory, 'exchanges.jsonl');
  await appendFile(file, '{"id":"e17","purp');
  const run = await readFinishedRun(directory);
  expect(run.exchanges()).toHaveLength(16);
  await rm(file);
  expect(run.exchanges()).toEqual([]);
});

it('leaves out half a last line, and names a line that is no exchange', async () => {
  const run = await sampleRun(conformingRecord());
  const file = join(run.directory, 'exchanges.jsonl');
  await appendFile(file, '{"id":"e17","purp');
  expect(run.exchanges()).toHaveLength(16);
  expect([...(await run.exchangesById(['e16', 'e17'])).keys()]).toEqual(['e16']);
  await writeFile(file, '{"id":"e1"}\n{"id":"e2"\n{}\n');
  expect(() => run.exchanges()).toThrow(/exchanges\.jsonl, line 1 is not as it must be: /u);
  await expect(run.exchangesById(['e1'])).rejects.toThrow(/line 1 is not as it must be: /u);
});

it.each([
  ['a file', undefined, /is not the folder of a run: .*ENOTDIR/u],
  ['a folder without a record', '', /is not the folder of a run: .*ENOENT/u],
  ['half a record', '{', /is not a run record of this version: it is not JSON$/u],
  [
    'the record of another version',
    '{"format":"petstore-conformance/2"}',
    /is not a run record of this version: at format: .*"petstore-conformance\/1"/u,
  ],
  ['a file of that name', '{"format":"mine"}', /is not a run record of this version: at format: /u],
])('tells in one line that %s is no run', async (_, text, message) => {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-none-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = join(directory, 'report.json');
  if (text !== '') await writeFile(file, text ?? '');
  const error = await readFinishedRun(text === undefined ? file : directory).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(UnreadableRun);
  expect(error).toMatchObject({ message: expect.stringMatching(message) });
});

const recorded = new Map(
  ['CREATE-12', 'LIST-08', 'stock', 'CREATE-12'].map((purpose, index): [string, RecordedExchange] => [
    `e${index}`,
    exchangeOf({ id: `e${index}`, purpose }).line,
  ]),
);
const exchangesById = async (ids: Iterable<string>) =>
  Promise.resolve(new Map([...recorded].filter(([id]) => [...ids].includes(id))));
const failed = (...exchanges: string[]) => ({
  ...notTestedResult('LIST-08', ''),
  findings: [{ message: 'an animal is missing', exchanges }],
});

it('names the requirements whose requests showed a finding, and nothing else that was sent', async () => {
  expect(await withRequestsBehind({ exchangesById }, [failed('e0', 'e1', 'e2', 'e3')])).toEqual([
    'LIST-08',
    'CREATE-12',
  ]);
  expect(await withRequestsBehind({ exchangesById }, [failed('e1', 'e2')])).toEqual(['LIST-08']);
});
