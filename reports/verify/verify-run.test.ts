import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RequirementResult, RunRecord, Verdict } from '../../lib/record/record.js';
import { classResult, runVerdict } from '../../lib/verdict/class-verdict.js';
import { writeManifest } from '../manifest.js';
import { verificationText } from './verify-text.js';
import { collect } from '../testing/collect.js';
import { conformingRecord, faultyRecord } from '../testing/sample-record.js';
import { sampleRun } from '../testing/sample-folder.js';
import { verifyRun, type JudgeAgain } from './verify-run.js';

const everyExchangeIds = new Set(['ERR-02', 'MEDIA-01', 'RATE-01']);

/** Judges as the record says, unless a verdict is given; reads every exchange, as a judge must. */
function judge(otherwise: Record<string, Verdict> = {}, seen: string[] = []): JudgeAgain {
  return async (exchanges, record) => {
    for await (const { id } of exchanges) seen.push(id);
    return record.requirements
      .filter(({ id }) => everyExchangeIds.has(id))
      .map((row): RequirementResult => ({ ...row, verdict: otherwise[row.id] ?? row.verdict }));
  };
}

/** The record with rows of its own, and the verdicts that follow from them. */
function withRows(record: RunRecord, change: (row: RequirementResult) => RequirementResult): RunRecord {
  const requirements = record.requirements.map(change);
  const classes = record.classes.map(({ id }) => classResult(id, requirements));
  return { ...record, requirements, classes, verdict: runVerdict(classes) };
}

async function provenRun(record: RunRecord = faultyRecord()): Promise<string> {
  const { directory } = await sampleRun(record);
  await writeManifest(directory);
  return directory;
}

const text = async (directory: string, by: JudgeAgain = judge()) => {
  const verification = await verifyRun(directory, by);
  return {
    code: verification.code,
    output: verificationText(verification, { columns: 80, colour: false }),
  };
};

describe('a verification', () => {
  it('proves an untouched run, and judges each of its exchanges', async () => {
    const seen: string[] = [];
    const { code, output } = await text(await provenRun(), judge({}, seen));
    expect(code).toBe(0);
    expect(seen).toHaveLength(16);
    expect(output).toContain('✓ 2 of 2 files are unchanged.');
    expect(output).toContain('✓ 16 exchanges judged again: 3 requirements confirmed, 0 differ.');
    expect(output.trimEnd()).toMatch(/Proved: .*verdicts\.$/u);
  });

  it('finds a file that was changed by one byte, one that is missing, and one that was added', async () => {
    const directory = await provenRun();
    const file = join(directory, 'exchanges.jsonl');
    const content = await readFile(file, 'utf8');
    await writeFile(file, content.replace('"status":401', '"status":402'));
    expect((await text(directory)).output).toContain('✗ exchanges.jsonl: changed since the run ended');
    await rm(file);
    await writeFile(join(directory, 'notes.txt'), 'mine');
    const { code, output } = await text(directory);
    expect(code).toBe(1);
    expect(output).toContain('✗ exchanges.jsonl: missing');
    expect(output).toContain('! notes.txt: added after the run ended');
  });

  it('does not take an added file for a change', async () => {
    const directory = await provenRun();
    await writeFile(join(directory, 'notes.txt'), 'mine');
    expect((await text(directory)).code).toBe(0);
  });

  it('names the requirements that are judged otherwise', async () => {
    const { code, output } = await text(await provenRun(), judge({ 'MEDIA-01': 'fail' }));
    expect(code).toBe(1);
    expect(output).toContain('✗ MEDIA-01  recorded pass, judged again fail');
    expect(output).toContain('2 requirements confirmed, 1 differ');
  });

  it('does not hold it against a run that it claimed less than its exchanges show', async () => {
    const record = withRows(conformingRecord(), (row) =>
      row.id === 'RATE-01' ? { ...row, verdict: 'inconclusive', reason: 'the budget was spent' } : row,
    );
    const directory = await provenRun(record);
    expect((await text(directory, judge({ 'RATE-01': 'pass' }))).code).toBe(0);
    expect((await text(directory, judge({ 'RATE-01': 'fail' }))).code).toBe(1);
  });

  it('works on a run that was cut off, and says so', async () => {
    const record = withRows(conformingRecord(), (row) =>
      row.id === 'RATE-01' ? { ...row, verdict: 'not-tested', reason: 'the run was cut off' } : row,
    );
    record.run = { ...record.run, complete: false };
    const { directory } = await sampleRun(record);
    await appendFile(join(directory, 'exchanges.jsonl'), '{"id":"e17"');
    const { code, output } = await text(directory, judge({ 'RATE-01': 'pass' }));
    expect(code).toBe(3);
    expect(output).toContain('! There is no manifest.json');
    expect(output).toContain('16 exchanges judged again: 2 requirements confirmed, 0 differ.');
    expect(output).toContain('Not judged by the run; its exchanges give pass for RATE-01.');
    expect(output).toContain('! The run did not finish');
  });

  it('proves nothing where there was nothing to judge again', async () => {
    expect(
      (
        await text(await provenRun(), async (exchanges) => {
          await collect(exchanges);
          return [];
        })
      ).code,
    ).toBe(3);
  });

  it('tells of a record or exchanges that cannot be read', async () => {
    const directory = await provenRun();
    const file = join(directory, 'exchanges.jsonl');
    await writeFile(file, `{"id":1}\n${await readFile(file, 'utf8')}`);
    expect(await text(directory)).toMatchObject({
      code: 1,
      output: expect.stringContaining('line 1 is not an exchange') as string,
    });
    await rm(join(directory, 'report.json'));
    expect((await text(directory)).output).toMatch(/holds no report\.json/u);
    await writeFile(join(directory, 'manifest.json'), '{}');
    expect((await text(directory)).code).toBe(1);
    await rm(join(directory, 'manifest.json'));
    await expect(text(directory)).rejects.toThrow(/holds no report\.json: it is not a run's folder$/u);
    await expect(text(join(directory, 'nowhere'))).rejects.toThrow(/there is no such folder$/u);
    await expect(text(file)).rejects.toThrow(/is not a folder/u);
  });

  it('misses an exchange of a finished run, though its manifest was made again', async () => {
    const { directory } = await sampleRun(conformingRecord());
    const file = join(directory, 'exchanges.jsonl');
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    await writeFile(file, `${lines.filter((_, index) => index !== 6 && index < 15).join('\n')}\n`);
    await writeManifest(directory);
    const { code, output } = await text(directory);
    expect(code).toBe(1);
    expect(output).toContain('✗ 2 exchanges are missing from the evidence: e7, e16.');
  });

  it('finds a verdict that does not follow from the rows of its class', async () => {
    const { code, output } = await text(await provenRun({ ...faultyRecord(), verdict: 'conformant' }));
    expect(code).toBe(1);
    expect(output).toMatch(
      /✗ The record contradicts itself: the run is recorded as conformant, its\s+classes/u,
    );
    const [first, ...others] = faultyRecord().classes;
    if (!first) throw new Error('the sample has classes');
    const classes = [{ ...first, verdict: 'conformant' as const }, ...others];
    expect((await text(await provenRun({ ...faultyRecord(), classes }))).output).toMatch(
      /functional is recorded as conformant, its\s+requirements\s+give\s+non-conformant/u,
    );
  });

  it('proves the files of a run that claims nothing of what every exchange shows', async () => {
    const record = withRows(conformingRecord(), (row) =>
      everyExchangeIds.has(row.id) ? { ...row, verdict: 'not-tested', reason: 'not selected' } : row,
    );
    const again = judge({ 'ERR-02': 'pass', 'MEDIA-01': 'pass', 'RATE-01': 'pass' });
    const { code, output } = await text(await provenRun(record), again);
    expect(code).toBe(0);
    expect(output).toContain('Proved: no file was changed. The run has no verdict');
  });
});
