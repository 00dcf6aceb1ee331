import { execFileSync } from 'node:child_process';
import { appendFile, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runInFolder } from '../../lib/run/testing/recorded-run.js';
import { conformingRecord } from '../testing/sample-record.js';
import { recordDifferences, verificationText, verifyRun } from './verify-run.js';

const provenRun = async (only: readonly string[] = ['LIST', 'ERR']): Promise<string> =>
  (await runInFolder({}, { settings: { profile: 'quick', only } }, ['junit'])).directory;

const text = async (directory: string) => {
  const verification = await verifyRun(directory);
  return { code: verification.code, output: verificationText(verification, { columns: 100, colour: false }) };
};

describe('a verification', () => {
  it('proves an untouched run, and says of how much', async () => {
    const { code, output } = await text(await provenRun());
    expect(output).toContain('✓ 3 of 3 files are unchanged.');
    expect(output.replaceAll(/\s+/gu, ' ')).toMatch(
      /✓ \d\d exchanges judged again: (\d\d) of \1 judged requirements came out again/u,
    );
    expect(output).toContain('✓ junit.xml: rendered again, byte for byte the same.');
    expect(output.trimEnd()).toMatch(/\nProved: no file was changed, and .*\.$/u);
    expect(code).toBe(0);
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
    expect(output).toContain('! notes.txt: not covered by manifest.json');
  });

  it('does not take an added file for a change', async () => {
    const directory = await provenRun(['VERSION']);
    await writeFile(join(directory, 'notes.txt'), 'mine');
    expect((await text(directory)).code).toBe(0);
  });

  it.each(['report.json', 'exchanges.jsonl', 'manifest.json', 'junit.xml'])(
    'opens regular files only, whatever %s is',
    async (name) => {
      const directory = await provenRun(['VERSION']);
      const path = join(directory, name);
      await rename(path, `${path}.away`);
      execFileSync('mkfifo', [path]);
      expect((await text(directory)).code).toBe(1);
      await rm(path);
      await symlink(`${path}.away`, path);
      const { code, output } = await text(directory);
      expect(code).toBe(1);
      expect(output).toContain('not a regular file');
    },
  );

  it('works on a run that was cut off, and says so', async () => {
    const directory = await provenRun();
    await rm(join(directory, 'manifest.json'));
    await rm(join(directory, 'junit.xml'));
    const file = join(directory, 'report.json');
    const record = await readFile(file, 'utf8');
    const cut = '"complete": false,\n    "stopped": "the run was cut off"';
    await writeFile(file, record.replace('"complete": true', cut));
    await appendFile(join(directory, 'exchanges.jsonl'), '{"id":"e999"');
    const { code, output } = await text(directory);
    expect(code).toBe(3);
    expect(output).toContain('? There is no manifest.json');
    expect(output).not.toContain('✗');
    expect(output).toContain('? The run did not finish (the run was cut off)');
  });

  it('tells of a record or exchanges that cannot be read', async () => {
    const directory = await provenRun(['VERSION']);
    const file = join(directory, 'exchanges.jsonl');
    await writeFile(file, `{"id":1}\n${await readFile(file, 'utf8')}`);
    expect(await text(directory)).toMatchObject({
      code: 1,
      output: expect.stringContaining('line 1 is not as it must be') as string,
    });
    await rm(join(directory, 'report.json'));
    expect((await text(directory)).output).toMatch(/there is no report\.json/u);
    await writeFile(join(directory, 'manifest.json'), '{}');
    expect((await text(directory)).code).toBe(1);
    await rm(join(directory, 'manifest.json'));
    await expect(text(directory)).rejects.toThrow(/is not the folder of a run: .*ENOENT/u);
    await expect(text(join(directory, 'nowhere'))).rejects.toThrow(/is not the folder of a run/u);
    await expect(text(file)).rejects.toThrow(/is not the folder of a run: .*ENOTDIR/u);
  });
});

it('tells what differs by its path, and a result by what the exchanges give', () => {
  const recorded = conformingRecord();
  const again = structuredClone(recorded);
  again.requests.sent += 1;
  const row = again.requirements.find(({ id }) => id === 'LIST-02');
  Object.assign(row ?? {}, { verdict: 'fail', findings: [{ message: 'too many', exchanges: [] }] });
  expect(recordDifferences(recorded, again).map(({ text }) => text)).toEqual([
    'LIST-02.verdict recorded as "pass", judged again "fail"',
    expect.stringContaining('LIST-02.findings recorded as [], judged again [{"message"'),
    `requests.sent recorded as ${recorded.requests.sent}, judged again ${again.requests.sent}`,
  ]);
  expect(recordDifferences(recorded, recorded)).toEqual([]);
});
