import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withResponses } from '../lib/reference/changes.js';
import { referenceKeys } from '../lib/reference/keys.js';
import type { ReferenceOptions } from '../lib/reference/options.js';
import { serveReference } from '../lib/reference/serve.js';
import { runRecordSchema } from '../lib/evidence/record/record.js';
import { writeReports } from '../reports/renderers.js';
import { verifyRun } from '../reports/verify/verify-run.js';
import { start, type Ended, type Started } from './testing/program.js';

/** The files of a run prove its verdicts, and show every change that was made to them. */

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-evidence-'));
});
afterAll(async () => rm(folder, { recursive: true, force: true }));

async function judge(
  output: string,
  options: ReferenceOptions,
  meanwhile?: (program: Started) => void,
): Promise<Ended> {
  const service = await serveReference(options);
  const program = start(
    'conformance',
    [
      `--base-url=${service.baseUrl}`,
      '--plan=business',
      '--profile=quick',
      '--seed=1',
      `--output=${join(folder, output)}`,
    ],
    { folder, environment: { PETSTORE_API_KEY: referenceKeys.business.key } },
  );
  meanwhile?.(program);
  try {
    return await program.ended;
  } finally {
    await service.close();
  }
}

it('proves a finished run, and a changed byte disproves it', async () => {
  expect((await judge('whole', {})).code).toBe(0);
  const verify = async (): Promise<Ended> =>
    start('report', ['verify', join(folder, 'whole')], { folder }).ended;
  const proved = await verify();
  expect(proved).toMatchObject({ code: 0, stderr: '' });
  expect(proved.stdout).toMatch(
    /✓ 3 of 3 files[^]*✓ \d+ exchanges judged again: (\d\d) of \1 judged requirements[^]*Proved: no file was changed/,
  );
  const file = join(folder, 'whole', 'exchanges.jsonl');
  const bytes = await readFile(file);
  // A figure in the middle, so that what was JSON still is.
  const at = bytes.findIndex((byte, index) => index > bytes.length / 2 && byte >= 0x31 && byte <= 0x38);
  bytes[at] = (bytes[at] ?? 0) + 1;
  await writeFile(file, bytes);
  const disproved = await verify();
  expect(disproved.code).toBe(1);
  expect(disproved.stdout).toContain('exchanges.jsonl: changed since the run ended');
});

it('works on a run that was killed in the middle: what it has seen is there, and nothing is claimed beyond it', async () => {
  let asked = 0;
  const killing = { program: undefined as Started | undefined };
  const slow = withResponses((answer) => {
    asked += 1;
    if (asked === 40) killing.program?.process.kill('SIGKILL');
    return answer;
  });
  const { code } = await judge('killed', slow, (program) => (killing.program = program));
  expect(code).toBeNull();
  expect((await readdir(join(folder, 'killed'))).filter((name) => !/\.(?:part|lock)$/.test(name))).toEqual([
    'exchanges.jsonl',
    'report.json',
  ]);
  const record = runRecordSchema.parse(
    JSON.parse(await readFile(join(folder, 'killed', 'report.json'), 'utf8')),
  );
  expect(record).toMatchObject({
    verdict: 'incomplete',
    run: { complete: false, stopped: 'the run was cut off' },
  });

  const { code: verified, remarks } = await verifyRun(join(folder, 'killed'));
  expect([verified, remarks.filter(({ mark }) => mark === '✗')]).toEqual([3, []]);
  expect(remarks.map(({ text }) => text)).toContainEqual(
    expect.stringContaining('There is no manifest.json: the run did not finish'),
  );
  await writeReports(join(folder, 'killed'), ['html']);
  expect(await readFile(join(folder, 'killed', 'report.html'), 'utf8')).toContain('the run was cut off');
});
