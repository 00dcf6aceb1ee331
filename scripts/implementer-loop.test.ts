import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runRecordSchema, type RunRecord } from '../lib/evidence/record/record.js';
import { freePort } from '../lib/testing/ports.js';
import { start, type Ended } from './testing/program.js';

/** What an implementer does many times a day, in a folder of their own: init, a red run, a fix, the same again. */

const key = 'pets_business_Zk6CtD4vMq1RoYwB';
const environment = { PETSTORE_API_KEY: key };
/** For what never comes. */
const waiting = { timeout: 120_000 };
let folder: string;
let port: number;
beforeAll(async () => {
  port = await freePort();
  folder = mkdtempSync(join(tmpdir(), 'petstore-loop-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const program = (...args: readonly string[]): Promise<Ended> =>
  start('conformance', args, { folder, environment }).ended;
const lastLine = ({ stdout }: Ended): string => stdout.trimEnd().split('\n').at(-1) ?? '';
function records(): RunRecord[] {
  const runs = join(folder, 'reports', 'runs');
  return readdirSync(runs)
    .toSorted()
    .map((name) => runRecordSchema.parse(JSON.parse(readFileSync(join(runs, name, 'report.json'), 'utf8'))));
}

const published = join(import.meta.dirname, '..', 'dist', 'scripts', 'petstore-conformance.js');
const service = (more = ''): string => `'${process.execPath}' '${published}' reference --port=${port}${more}`;

test('init, a red run, a fix, again: what to run is the last line of a red run', async () => {
  const initial = await program(
    'init',
    `http://127.0.0.1:${port}/v1`,
    '--plan=business',
    `--start=${service()}`,
  );
  expect(initial).toMatchObject({ code: 0, stderr: '' });
  expect(initial.stdout).toContain('wrote petstore-conformance.config.yaml');
  expect((await program('init', 'http://[::1]/v1')).stdout).toContain(
    'left petstore-conformance.config.yaml as it is',
  );

  const scope = ['--only=AUTH-01,LIST-02,CREATE-05', '--report=none'];
  const red = await program(...scope, `--start=${service(' --fault=one-more-than-limit')}`);
  expect(red.code).toBe(1);
  expect(lastLine(red)).toMatch(/^Digest sha256:[\da-f]{64}  Again: npx petstore-conformance --again=last$/);

  const green = await program('--again=last', `--start=${service()}`);
  expect(green).toMatchObject({ code: 0, stderr: '' });
  expect(lastLine(green)).toMatch(/^Digest \S+$/);
  const [, again] = records();
  expect(again?.requirements.flatMap(({ id, verdict }) => (verdict === 'not-tested' ? [] : [id]))).toEqual([
    'LIST-02',
  ]);
  expect(again?.run.command).not.toContain('--again');

  const elsewhere = await program('--again=last', '--base-url=http://127.0.0.1:9/v1');
  expect(elsewhere.code).toBe(2);
  expect(elsewhere.stderr).toContain('--again=last: there is no run of http://127.0.0.1:9/v1 in');
  const nothing = await program('--again=last');
  expect(nothing.code).toBe(2);
  expect(nothing.stderr).toContain('nothing failed in');
  // No service was left behind, and its output holds no key.
  await expect(fetch(`http://127.0.0.1:${port}/v1/pets`)).rejects.toMatchObject({
    cause: { code: 'ECONNREFUSED' },
  });
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((one) =>
    one.endsWith('.log'),
  ))
    expect(readFileSync(join(folder, name), 'utf8')).not.toContain(key);
});

test('what an unfinished run leaves unknown is said when it is repeated', async () => {
  const target = [`--start=${service()}`, `--base-url=http://127.0.0.1:${port}/v1`, '--plan=business'];
  const options = ['--report=none', '--overwrite', ...target];
  const cut = await program(...options, '--output=cut', '--profile=thorough', '--max-time=1s');
  expect(cut.code).toBe(3);
  const again = await program(...options, '--again=cut', '--max-time=1s');
  expect(again.stderr).toMatch(
    /the run in \S+cut did not finish \(the time of 1 s .* is used up\): it says nothing of \d+ requirements?/,
  );
});

test('a service that dies is one sentence with its last lines, which its log holds', async () => {
  const ended = await program('--start=echo no database; exit 4', '--report=none', '--output=dead');
  expect(ended).toMatchObject({
    code: 2,
    stdout: '',
    stderr:
      'petstore-conformance: the service of --start ended with exit code 4; it printed last:\n  no database\n',
  });
  expect(readFileSync(join(folder, 'dead', 'service.log'), 'utf8')).toBe('no database\n');
});

test('a service ends with a suite that is killed', async () => {
  const pidFile = join(folder, 'service.pid');
  const run = start('conformance', [`--start=echo $$ > '${pidFile}'; exec sleep 300`, '--report=none'], {
    folder,
    environment,
  });
  const pid = await vi.waitUntil(() => existsSync(pidFile) && Number(readFileSync(pidFile, 'utf8')), waiting);
  run.process.kill('SIGKILL');
  await run.ended;
  await vi.waitUntil(() => !isRunning(pid), waiting);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('a watched run goes on after a change, and ends its service when it is interrupted', async () => {
  const watched = start(
    'conformance',
    ['--only=LIST-02', '--report=none', '--watch', `--start=${service(' --fault=one-more-than-limit')}`],
    { folder, environment },
  );
  let rounds = 0;
  let said = '';
  watched.process.stderr.on('data', (text: string) => {
    said += text;
    const now = said.split('Watching: a change runs 1 requirement again').length - 1;
    if (now === rounds) return;
    rounds = now;
    if (rounds === 1) writeFileSync(join(folder, 'service.ts'), 'changed');
    else watched.process.kill('SIGTERM');
  });
  const { code } = await watched.ended;
  expect({ code, rounds }).toEqual({ code: 1, rounds: 2 });
});
