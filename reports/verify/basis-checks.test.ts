import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { recordText } from '../../lib/evidence/record/record-text.js';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { faults } from '../../lib/reference/faults/faults.js';
import { runInFolder, suites } from '../../lib/run/testing/recorded-run.js';
import { writeReports } from '../renderers.js';
import { readWaivers } from '../waivers/read-waivers.js';
import { applyWaivers } from '../waivers/waiver-outcome.js';
import { verifyRun, type Verification } from './verify-run.js';

/** A run of AUTH-07 alone, which fails and is waived; changed, and then verified. */
async function verified(
  change: (run: { record: RunRecord; file: string }) => Promise<unknown> = async () => undefined,
): Promise<Verification> {
  const fault = faults.find(({ breaks }) => breaks.join() === 'AUTH-07');
  const settings = { profile: 'quick', only: ['AUTH-07'] } as const;
  const { directory, record } = await runInFolder(fault?.options ?? {}, { settings });
  const file = join(directory, '..', `${directory.split('/').at(-1)}.yaml`);
  await writeFile(file, '- { id: AUTH-07, reason: known, owner: ann, until: 2999-01-01 }\n');
  const waivers = await readWaivers(file);
  const waived = applyWaivers(record, waivers.waivers, {
    now: new Date(record.run.finishedAt),
    file: waivers,
  });
  expect(waived.run.waivers?.sha256).toMatch(/^[0-9a-f]{64}$/u);
  await change({ record: waived, file });
  await writeFile(join(directory, 'report.json'), recordText(waived));
  await writeReports(directory, []);
  return verifyRun(directory, suites);
}

const texts = ({ remarks }: Verification): string => remarks.map(({ text }) => text).join('\n');

it('waivers are proved by the file that gave them', async () => {
  const proved = await verified();
  expect(texts(proved)).toMatch(/\.yaml is the file that the run used/u);
  expect(texts(proved)).not.toContain('Not looked at');
  expect(proved.code).toBe(0);
});

it('a waiver that the file does not give contradicts the run', async () => {
  const changed = await verified(async ({ record }) => {
    for (const { waived } of record.requirements) if (waived) waived.owner = 'eve';
  });
  expect(texts(changed)).toContain('it gives other waivers than the record has');
  expect(changed.code).toBe(1);
});

it('a file that was changed since then is named, and proves nothing', async () => {
  const changed = await verified(async ({ file }) =>
    writeFile(file, `${await readFile(file, 'utf8')}# later\n`),
  );
  expect(texts(changed)).toContain('is no longer the file that the run used (sha256:');
  expect(texts(changed)).toContain('Not looked at: whether waivers were given for AUTH-07');
  expect(changed.code).toBe(0);
});
