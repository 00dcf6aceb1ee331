import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { attestationFile, attestationOf } from '../attest/attestation.js';
import { manifestDigest, writeManifest } from '../manifest.js';
import { faultyRecord } from '../testing/sample-record.js';
import { sampleRun } from '../testing/sample-folder.js';
import { checkWitnesses } from './witnesses.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const record = faultyRecord();

async function attestedRun(): Promise<string> {
  const { directory } = await sampleRun(record);
  await writeManifest(directory);
  const text = attestationOf(record, await manifestDigest(directory), [], privateKey);
  await writeFile(join(directory, attestationFile), text);
  return directory;
}

const marksOf = async (...args: Parameters<typeof checkWitnesses>) =>
  (await checkWitnesses(...args)).map(({ mark }) => mark);

describe('the witnesses of a run', () => {
  it('agree with an untouched folder', async () => {
    const directory = await attestedRun();
    const digest = await manifestDigest(directory);
    expect(await marksOf(directory, record, { digest, key: publicKey })).toEqual(['✓', '✓']);
    const [unchecked] = await checkWitnesses(directory, record, {});
    expect(unchecked?.text).toContain('was not checked: add --key=FILE.pem');
  });

  it('contradict a folder whose files and manifest were both written anew', async () => {
    const directory = await attestedRun();
    const digest = await manifestDigest(directory);
    await writeFile(join(directory, 'report.json'), '{}');
    await writeManifest(directory);
    expect(await marksOf(directory, record, { digest, key: publicKey })).toEqual(['✗', '✗']);
  });

  it('contradict a folder without them', async () => {
    const { directory } = await sampleRun(record);
    expect(await marksOf(directory, record, { digest: 'a'.repeat(64), key: publicKey })).toEqual(['✗', '✗']);
  });
});
