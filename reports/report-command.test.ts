import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UsageProblem } from '../lib/explain/usage-problem.js';
import { HelpAsked } from '../lib/options/command-line.js';
import { runInFolder } from '../lib/run/testing/recorded-run.js';
import { loadRecord } from './testing/sample-load.js';
import { conformingRecord, faultyRecord } from './testing/sample-record.js';
import { sampleRun } from './testing/sample-folder.js';
import { reportCommand } from './report-command.js';

async function report(...argv: string[]) {
  const printed: string[] = [];
  const complaints: string[] = [];
  const code = await reportCommand(argv, {
    print: (text) => void printed.push(text),
    columns: 80,
    colour: false,
  }).catch((error: unknown) => {
    if (error instanceof HelpAsked) printed.push(error.message);
    else if (error instanceof UsageProblem) complaints.push(error.message);
    else throw error;
    return error instanceof HelpAsked ? 0 : 2;
  });
  return { code, printed: printed.join('\n'), complaints };
}

const folderOf = async (record = faultyRecord()) => (await sampleRun(record)).directory;

describe('npm run report', () => {
  it.each([
    [['--help'], '  npm run report -- verify DIR [options]\n'],
    [['help'], '  npm run report -- verify DIR [options]\n'],
    [['render', 'anything', '--help'], '  --report=NAME,…  html, junit'],
  ])('prints its help for %j, of 80 columns', async (argv, line) => {
    const { code, printed } = await report(...argv);
    expect(code).toBe(0);
    expect(printed).toContain(line);
    expect(printed.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it.each<[string[], string]>([
    [[], 'a command is missing: render, compare, site'],
    [['rendr', '.'], 'unknown command rendr. Did you mean render?'],
    [['render'], 'report -- render DIR [options]; got nothing'],
    [['render', 'a', 'b'], '; got a b'],
    [['render', '.', '--reprot=html'], 'unknown option --reprot. Did you mean --report?'],
    [['render', '.', '--report=junt'], 'got "junt". Did you mean junit?'],
    [['render', '.', '--report'], '--report needs a value'],
    [['compare', 'a'], 'compare OLD NEW [options]; got a'],
    [['verify', 'a', '--output=b'], 'unknown option --output.'],
    [['site'], 'site DIR… [options]; got nothing'],
    [['verify'], 'verify DIR [options]; got nothing'],
    [['render', '/nowhere'], '/nowhere is not the folder of a run'],
    [['compare', '/nowhere', '/nowhere'], '/nowhere is not the folder of a run'],
  ])('answers %j with one line and exit code 2', async (argv, line) => {
    const { code, complaints, printed } = await report(...argv);
    expect(code).toBe(2);
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toContain(line);
    expect(printed).toBe('');
  });

  it('renders into the folder of the run, or into another, and names each file', async () => {
    const directory = await folderOf();
    const all = ['report.html', 'junit.xml', 'summary.md'];
    const { code, printed } = await report('render', directory, '--report=all');
    expect(code).toBe(0);
    expect(printed.split('\n')).toEqual(all.map((file) => join(directory, file)));
    const elsewhere = join(directory, 'new', 'folder');
    await report('render', directory, '--report=junit,markdown', `--output=${elsewhere}`);
    expect(await readdir(elsewhere)).toEqual(['junit.xml', 'summary.md']);
    const terminal = await report('render', directory, '--report=terminal');
    expect(terminal.printed).toContain('NON-CONFORMANT  7 requirements failed.');
    expect(await report('render', directory, '--report=junit', '--output=/dev/null/x')).toMatchObject({
      code: 2,
      complaints: [expect.stringContaining("ENOTDIR: not a directory, mkdir '/dev/null/x'")],
    });
  });

  it('leaves the manifest of the run alone when it makes a report again, and the run still verifies', async () => {
    const { directory } = await runInFolder({}, { settings: { profile: 'quick', only: ['ERR-02'] } }, [
      'html',
    ]);
    const manifest = await readFile(join(directory, 'manifest.json'), 'utf8');
    expect((await report('render', directory, '--report=html,junit')).code).toBe(0);
    expect(await readFile(join(directory, 'manifest.json'), 'utf8')).toBe(manifest);
    const verified = await report('verify', directory);
    expect([verified.code, verified.printed]).toEqual([
      0,
      expect.stringContaining('junit.xml: rendered again'),
    ]);
    expect(verified.printed).toContain('! junit.xml: not covered by manifest.json');
    await rm(join(directory, 'report.html'));
    const lost = await report('verify', directory);
    expect([lost.code, lost.printed]).toEqual([3, expect.stringContaining('? report.html: lost')]);
    await writeFile(join(directory, 'junit.xml'), 'changed');
    expect((await report('verify', directory)).code).toBe(1);
  });

  it('compares, and exits with 1 only where something broke', async () => {
    const [good, bad] = [await folderOf(conformingRecord()), await folderOf()];
    expect((await report('compare', good, bad)).code).toBe(1);
    expect((await report('compare', bad, good)).code).toBe(0);
    expect((await report('compare', good, good)).printed).toContain('nothing changed');
    const load = await folderOf(loadRecord());
    const refusal = { code: 2, complaints: [`${load} holds a load, which judges no requirement`] };
    expect(await report('test', load)).toMatchObject(refusal);
    expect(await report('compare', good, load)).toMatchObject(refusal);
  });

  it('writes a test to keep, and never over a file that is there', async () => {
    const directory = await folderOf();
    const file = join(directory, 'kept.test.js');
    expect((await report('test', directory)).printed).toContain('found by petstore-conformance');
    expect((await report('test', directory, `--output=${file}`)).code).toBe(0);
    const again = await report('test', directory, `--output=${file}`);
    expect(again).toMatchObject({ code: 2, complaints: [`EEXIST: file already exists, open '${file}'`] });
  });
});
