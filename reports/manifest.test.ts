import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readManifest, writeManifest } from './finished-run.js';
import { sampleRun } from './testing/sample-folder.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const namesIn = async (directory: string) => (await readManifest(directory))?.files.map(({ name }) => name);

it('has name, size and hash of every file of the run, but not of itself, and of nothing that others put there', async () => {
  const { directory } = await sampleRun();
  await mkdir(join(directory, 'plans'));
  await writeFile(join(directory, 'plans', 'free.txt'), 'mine');
  await writeFile(join(directory, 'ledger.jsonl'), 'ä');
  await writeFile(join(directory, 'junit.xml.12.part'), 'unfinished');
  await symlink('/etc/passwd', join(directory, 'link'));
  await writeManifest(directory);
  const manifest = await writeManifest(directory);
  expect(manifest.files[1]).toEqual({ name: 'ledger.jsonl', bytes: 2, sha256: sha256('ä') });
  const record = await readFile(join(directory, 'report.json'), 'utf8');
  expect(manifest.files[2]?.sha256).toBe(sha256(record));
  expect(await namesIn(directory)).toEqual(['exchanges.jsonl', 'ledger.jsonl', 'report.json']);
});

it('is not there after a run that was cut off', async () => {
  const { directory } = await sampleRun();
  expect(await readManifest(directory)).toBeUndefined();
  await rm(directory, { recursive: true });
  expect(await readManifest(directory)).toBeUndefined();
});

const naming = (name: string) =>
  JSON.stringify({ format: 'petstore-conformance-manifest/1', files: [{ name, bytes: 1, sha256: '00' }] });

it.each([
  ['{', 'is not a manifest'],
  [naming('../secret'), 'inside the folder'],
  [naming('/etc/passwd'), 'inside the folder'],
])('is refused as %j', async (text, message) => {
  const { directory } = await sampleRun();
  await writeFile(join(directory, 'manifest.json'), text);
  await expect(readManifest(directory)).rejects.toThrow(message);
});
