import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manifestDigest, writeManifest } from '../manifest.js';
import { faultyRecord } from '../testing/sample-record.js';
import { sampleRun } from '../testing/sample-folder.js';
import { checkFiles } from './file-checks.js';

const record = faultyRecord();

describe('the digest of a manifest', () => {
  it('is that of an untouched folder, in which an attestation is told as not checked', async () => {
    const { directory } = await sampleRun(record);
    await writeManifest(directory);
    await writeFile(join(directory, 'attestation.json'), '{}');
    const remarks = await checkFiles(directory, await manifestDigest(directory));
    expect(remarks.map(({ mark }) => mark)).toEqual(['✓', '!', '✓']);
    expect(remarks[1]?.text).toBe('attestation.json: not covered by manifest.json, and not checked');
  });

  it('contradicts a folder whose files and manifest were both written anew', async () => {
    const { directory } = await sampleRun(record);
    await writeManifest(directory);
    const digest = await manifestDigest(directory);
    await writeFile(join(directory, 'report.json'), JSON.stringify({ ...record, leftovers: [] }));
    await writeManifest(directory);
    expect((await checkFiles(directory, digest)).at(-1)?.mark).toBe('✗');
  });

  it('contradicts a folder without a manifest', async () => {
    const { directory } = await sampleRun(record);
    expect((await checkFiles(directory, 'a'.repeat(64))).at(-1)?.mark).toBe('✗');
  });
});
