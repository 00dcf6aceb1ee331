import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { attestationFile, attestationOf } from '../attest/attestation.js';
import { manifestDigest, manifestResource, writeManifest } from '../manifest.js';
import { faultyRecord } from '../testing/sample-record.js';
import { sampleRun } from '../testing/sample-folder.js';
import { checkWitnesses } from './file-checks.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const record = faultyRecord();

async function attestedRun(): Promise<string> {
  const { directory } = await sampleRun(record);
  await writeManifest(directory);
  const text = attestationOf(record, await manifestResource(directory), { others: [], key: privateKey });
  await writeFile(join(directory, attestationFile), text);
  return directory;
}

const codesOf = async (...args: Parameters<typeof checkWitnesses>) =>
  (await checkWitnesses(...args)).map(({ code }) => code);

describe('the witnesses of a run', () => {
  it('agree with an untouched folder', async () => {
    const directory = await attestedRun();
    const digest = await manifestDigest(directory);
    expect(await codesOf(directory, record, { digest, key: publicKey })).toEqual([0, 0]);
    const [unchecked] = await checkWitnesses(directory, record, {});
    expect(unchecked?.text).toContain('was not checked: add --key=FILE.pem');
  });

  it('contradict a folder whose files and manifest were both written anew', async () => {
    const directory = await attestedRun();
    const digest = await manifestDigest(directory);
    await writeFile(join(directory, 'report.json'), '{}');
    await writeManifest(directory);
    expect(await codesOf(directory, record, { digest, key: publicKey })).toEqual([1, 1]);
  });

  it('contradict a folder without them', async () => {
    const { directory } = await sampleRun(record);
    expect(await codesOf(directory, record, { digest: 'a'.repeat(64), key: publicKey })).toEqual([1, 1]);
  });
});
