import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { catalogue } from '../lib/specification/catalogue.js';
import type { RunRecord } from '../lib/record/record.js';
import { githubAnnotations, tellGitHub } from './github.js';
import { hostileName } from './testing/sample-exchanges.js';
import {
  conformingRecord,
  faultyRecord,
  oneCauseRecord,
  recordOf,
  sampleRows,
  type Changes,
} from './testing/sample-record.js';

/** The runner's own reading of a workflow command: the properties up to the next `::`, then the data. */
const commandForm = /^::(error|warning|notice) title=([^:,\r\n]*)::([^\r\n]*)$/u;
const unescape = (text: string) =>
  text
    .replaceAll('%0A', '\n')
    .replaceAll('%0D', '\r')
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replaceAll('%25', '%');

function read(record: RunRecord) {
  return githubAnnotations(record).map((line) => {
    const [, kind = '', title = '', message = ''] = commandForm.exec(line) ?? [];
    return { kind, title: unescape(title), message: unescape(message) };
  });
}

describe('GitHub annotations', () => {
  it('are an error for each failure, a warning for each warning and a notice for each waived miss', () => {
    const kinds = read(faultyRecord()).map(({ kind, title }) => `${kind} ${title}`);
    expect(kinds).toContain('error LIST-02 MUST § 4.1, 8: limit=n (1 to 100) returns at most n animals');
    expect(kinds).toContainEqual(expect.stringContaining('warning AUTH-07 SHOULD RFC 9110 15.5.2: '));
    expect(kinds).toContainEqual(expect.stringContaining('notice LIST-09 MUST § 2: '));
    expect(kinds.filter((kind) => kind.startsWith('error'))).toHaveLength(8);
  });

  it('are one for several requirements that fail by one cause', () => {
    expect(read(oneCauseRecord())).toEqual([
      {
        kind: 'error',
        title: 'CREATE-05 MUST § 4.2, 7: A body without name gets 400 (also CREATE-06, ROBUST-01)',
        message:
          'createPet responds 422, expected 400\nexpected: 400\nreceived: 422 {"code":"invalid"}\nNot judged because of it: CREATE-11.',
      },
    ]);
  });

  it('tell what could not be judged, and a run that was cut off', () => {
    const record = faultyRecord();
    record.run = { ...record.run, complete: false, stopped: 'the target was lost: 100% gone' };
    const [cut, open] = read(record);
    expect(cut).toEqual({
      kind: 'error',
      title: 'The run did not finish',
      message: 'the target was lost: 100% gone',
    });
    expect(open).toEqual({
      kind: 'error',
      title: 'Could not be judged',
      message:
        'AUTH-06: no page showed the control animal within 2 s\nRATE-05: another client used the same key meanwhile',
    });
  });

  it('say nothing of a conforming run', () => {
    expect(githubAnnotations(conformingRecord())).toEqual([]);
  });

  it('keep to what GitHub shows, the last one naming the rest', () => {
    const changes = Object.fromEntries(
      catalogue.map(({ id }) => [id, { verdict: 'fail', findings: [{ message: 'Wrong.', exchanges: [] }] }]),
    ) as Changes;
    const annotations = read(recordOf(sampleRows(changes)));
    expect(annotations).toHaveLength(10);
    expect(annotations.at(-1)?.title).toBe(`${catalogue.length - 9} more: failed`);
  });

  it('let no text of the target begin another command', () => {
    const received = `${hostileName}\r\n::error::x %0A::add-mask::y`;
    const changes: Changes = {
      'GET-01': { verdict: 'fail', findings: [{ message: received, received, exchanges: [] }] },
    };
    const [line] = githubAnnotations(recordOf(sampleRows(changes)));
    expect(line).toMatch(commandForm);
    expect(read(recordOf(sampleRows(changes)))[0]?.message).toContain('%0A::add-mask::y');
  });
});

describe('telling GitHub', () => {
  it('prints annotations and appends the summary where GitHub announces itself, and is silent elsewhere', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'petstore-github-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const summary = join(folder, 'summary.md');
    const printed: string[] = [];
    const print = (line: string) => void printed.push(line);
    await tellGitHub(faultyRecord(), {
      environment: { GITHUB_STEP_SUMMARY: summary },
      directory: '/runs/one',
      digest: 'abc',
      print,
    });
    expect(printed).toEqual([]);
    const output = join(folder, 'output');
    const environment = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: output };
    await tellGitHub(faultyRecord(), { environment, directory: '/runs/one', digest: 'abc', print });
    await tellGitHub(faultyRecord(), { environment, directory: '/runs/one', digest: 'abc', print });
    expect(printed).toHaveLength(2 * githubAnnotations(faultyRecord()).length);
    expect((await readFile(summary, 'utf8')).match(/^## /gmu)).toHaveLength(2);
    expect(await readFile(output, 'utf8')).toMatch(
      /^verdict=non-conformant\nfailed=(?:[A-Z]+-\d\d,)*LIST-02(?:,[A-Z]+-\d\d)*\nreport=\/runs\/one\ndigest=sha256:abc\n/,
    );
  });
});
