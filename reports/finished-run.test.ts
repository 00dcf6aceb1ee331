import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readFinishedRun, UnreadableRun } from './finished-run.js';
import { collect } from './testing/collect.js';
import { sampleExchanges } from './testing/sample-exchanges.js';
import { conformingRecord, faultyRecord } from './testing/sample-record.js';
import { sampleRun } from './testing/sample-folder.js';

const ids = (exchanges: Iterable<{ id: string }>) => [...exchanges].map(({ id }) => id);

describe('a finished run', () => {
  it('gives the record and every exchange as they were written', async () => {
    const run = await sampleRun();
    expect(run.record).toEqual(faultyRecord());
    expect(await collect(run.exchanges())).toEqual(sampleExchanges());
  });

  it('gives the exchanges that were asked for by id, and leaves out those never recorded', async () => {
    const run = await sampleRun();
    expect(ids((await run.exchangesById(['e16', 'e2', 'e999'])).values())).toEqual(['e2', 'e16']);
    expect(await run.exchangesById([])).toEqual(new Map());
  });

  it('passes over a last line that was cut off with the run, and over a missing file of exchanges', async () => {
    const whole = faultyRecord();
    const { directory } = await sampleRun({ ...whole, run: { ...whole.run, complete: false } });
    const file = join(directory, 'exchanges.jsonl');
    await appendFile(file, '{"id":"e17","purp');
    const run = await readFinishedRun(directory);
    expect(await collect(run.exchanges())).toHaveLength(16);
    await rm(file);
    expect(await collect(run.exchanges())).toEqual([]);
  });

  it('takes half a last line for damage where the run had got to its end', async () => {
    const { directory } = await sampleRun(conformingRecord());
    await appendFile(join(directory, 'exchanges.jsonl'), '{"id":"e17","purp');
    const run = await readFinishedRun(directory);
    await expect(collect(run.exchanges())).rejects.toThrow(/line 17 is not JSON/u);
    await expect(run.exchangesById(['e17'])).rejects.toThrow(/line 17 is not JSON/u);
  });

  it('names the line of the exchanges that is none', async () => {
    const { directory } = await sampleRun();
    await writeFile(join(directory, 'exchanges.jsonl'), '{"id":"e1"}\n{"id":"e2"\n{}\n');
    const run = await readFinishedRun(directory);
    await expect(collect(run.exchanges())).rejects.toThrow(/exchanges\.jsonl, line 1 is not an exchange: /u);
    await expect(run.exchangesById(['e2'])).rejects.toThrow(/line 2 is not JSON/u);
  });
});

describe('a folder that is no run', () => {
  const unreadable = async (directory: string) => {
    const error = await readFinishedRun(directory).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnreadableRun);
    return error instanceof Error ? error.message : '';
  };

  it('is told in one clear line', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'petstore-none-'));
    expect(await unreadable(join(directory, 'nowhere'))).toMatch(/there is no such folder$/u);
    expect(await unreadable(directory)).toMatch(/holds no report\.json: it is not a run's folder$/u);
    const file = join(directory, 'report.json');
    await writeFile(file, '{');
    expect(await unreadable(file)).toMatch(/is not a folder/u);
    expect(await unreadable(directory)).toMatch(/report\.json is not JSON: /u);
    await writeFile(file, '{"format":"petstore-conformance/2"}');
    expect(await unreadable(directory)).toMatch(
      /has the format petstore-conformance\/2; this version reads petstore-conformance\/1$/u,
    );
    await writeFile(file, '{"format":"mine"}');
    expect(await unreadable(directory)).toMatch(/is not a run record: at format: .* \(and \d+ more\)$/u);
  });
});
