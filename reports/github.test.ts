import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RunRecord } from '../lib/evidence/record/record.js';
import { githubAnnotations, tellGitHub } from './github.js';
import { hostileName } from './testing/sample-exchanges.js';
import {
  conformingRecord,
  faultyRecord,
  oneCauseRecord,
  recordOf,
  sampleRows,
} from './testing/sample-record.js';

/** The runner's own reading of a workflow command: the properties up to the next `::`, then the data. */
const commandForm = /^::(error|warning|notice) title=([^:,\r\n]*)::([^\r\n]*)$/u;
const unescape = (text: string) =>
  text.replaceAll(/%(0A|0D|3A|2C|25)/gu, (_, code: string) => String.fromCodePoint(parseInt(code, 16)));

function read(record: RunRecord) {
  return githubAnnotations(record).map((line) => {
    const [, kind = '', title = '', message = ''] = commandForm.exec(line) ?? [];
    return { kind, title: unescape(title), message: unescape(message) };
  });
}

describe('GitHub annotations', () => {
  it('are an error for each failure, a warning for each warning and a notice for each waived miss', () => {
    const kinds = read(faultyRecord()).map(({ kind, title }) => `${kind} ${title}`);
    expect(kinds[0]).toBe('error non-conformant');
    expect(kinds).toContain('error LIST-02: A page holds more animals than `limit` allows.');
    expect(kinds).toContainEqual(expect.stringContaining('warning AUTH-07: '));
    expect(kinds).toContainEqual(expect.stringContaining('notice LIST-09: '));
    expect(kinds.filter((kind) => kind.startsWith('error'))).toHaveLength(8);
    expect(read(conformingRecord())).toEqual([]);
  });

  it('are one for several requirements that fail by one cause', () => {
    expect(read(oneCauseRecord()).slice(1)).toEqual([
      {
        kind: 'error',
        title: 'CREATE-05, CREATE-06, ROBUST-01: a body without `name`: got 422',
        message: expect.stringMatching(
          /^✗ CREATE-05 .*\n.*\n {4}expected {2}400\n.*\n✗ CREATE-06 .*\n✗ ROBUST-01 .*\n {2}createPet responds 422\n/su,
        ),
      },
    ]);
  });

  it('tell what could not be judged, and a run that was cut off', () => {
    const record = faultyRecord();
    const stopped = 'the target was lost: 100% gone';
    record.run = { ...record.run, complete: false, stopped };
    const [verdict, cut] = read(record);
    expect(verdict?.message).toContain(
      '\n1 inconclusive: no page showed the control animal within 2 s (AUTH-06)',
    );
    expect(cut).toEqual({ kind: 'error', title: 'The run did not finish', message: stopped });
  });

  it('let no text of the target begin another command', () => {
    const received = `${hostileName}\r\n::error::x %0A::add-mask::y`;
    const findings = [{ message: received, received, exchanges: [] }];
    const record = recordOf(sampleRows({ 'GET-01': { verdict: 'fail', findings } }));
    expect(githubAnnotations(record)[1]).toMatch(commandForm);
    expect(read(record)[1]?.message).toContain('%0A::add-mask::y');
  });
});

it('prints annotations and appends the summary where GitHub announces itself, and is silent elsewhere', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-github-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [summary, output] = [join(folder, 'summary.md'), join(folder, 'output')];
  const printed: string[] = [];
  const tell = (environment: NodeJS.ProcessEnv): Promise<void> =>
    tellGitHub(faultyRecord(), {
      environment: { GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: output, ...environment },
      directory: '/runs/one',
      digest: 'abc',
      print: (line) => void printed.push(line),
    });
  await tell({});
  expect(printed).toEqual([]);
  await tell({ GITHUB_ACTIONS: 'true' });
  await tell({ GITHUB_ACTIONS: 'true' });
  expect(printed).toHaveLength(2 * githubAnnotations(faultyRecord()).length);
  expect((await readFile(summary, 'utf8')).match(/^## /gmu)).toHaveLength(2);
  expect(await readFile(output, 'utf8')).toMatch(
    /^verdict=non-conformant\nfailed=(?:[A-Z]+-\d\d,)*LIST-02(?:,[A-Z]+-\d\d)*\nreport=\/runs\/one\ndigest=sha256:abc\n/,
  );
});
