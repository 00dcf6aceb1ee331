import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { attestationFile, attestationOf, statementOf } from '../attestation.js';
import { faultyRecord } from '../testing/sample-record.js';
import { readFinishedRun, manifestDigest, writeManifest } from '../finished-run.js';
import { sampleRun } from '../testing/sample-folder.js';
import { checkAttestation, checkFiles } from './file-checks.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const record = faultyRecord();

/** The folder of a run whose record was signed. */
async function attestedRun() {
  const run = await sampleRun(record);
  await writeManifest(run.directory);
  const text = attestationOf(statementOf(record, await manifestDigest(run.directory)), privateKey);
  await writeFile(join(run.directory, attestationFile), text);
  return run;
}

describe('the witnesses of a run', () => {
  it('agree with an untouched folder', async () => {
    const run = await attestedRun();
    const digest = await manifestDigest(run.directory);
    const files = await checkFiles(run.directory, { digest, key: publicKey });
    expect([...files, await checkAttestation(run, publicKey)].map(({ mark }) => mark)).toEqual([
      '✓',
      '✓',
      '✓',
    ]);
    expect((await checkFiles(run.directory, {})).map(({ text }) => text)).toContain(
      'attestation.json is there, and was not checked: add --key=FILE.pem.',
    );
  });

  it('contradict a folder whose files and manifest were both written anew', async () => {
    const { directory } = await attestedRun();
    const digest = await manifestDigest(directory);
    await writeFile(join(directory, 'report.json'), JSON.stringify({ ...record, leftovers: [] }));
    await writeManifest(directory);
    const changed = await readFinishedRun(directory);
    expect((await checkFiles(directory, { digest, key: publicKey })).at(-1)?.mark).toBe('✗');
    expect((await checkAttestation(changed, publicKey)).mark).toBe('✗');
  });

  it('contradict a folder without them', async () => {
    const run = await sampleRun(record);
    expect((await checkFiles(run.directory, { digest: 'a'.repeat(64) })).at(-1)?.mark).toBe('✗');
    expect((await checkAttestation(run, publicKey)).mark).toBe('✗');
  });
});
