import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { z } from 'zod';
import { fileOfRun } from '../lib/evidence/record/run-files.js';
import { bytesOf, parsedAs, readRegular, replaceFile } from '../lib/evidence/record/regular-file.js';

const manifestFile = 'manifest.json';

/** The files of a run with what proves each: its name in the run's folder, its size, its SHA-256 in hexadecimal. */
const manifestSchema = z.object({
  format: z.literal('petstore-conformance-manifest/1'),
  files: z.array(
    z.strictObject({
      name: z.string().regex(/^\w[\w.-]*$/u, 'a name inside the folder'),
      bytes: z.int().nonnegative(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/u, 'a SHA-256 in hexadecimal'),
    }),
  ),
});
type Manifest = z.infer<typeof manifestSchema>;

/** What proves a file. Throws as `bytesOf` does. */
export function describeFile(directory: string, name: string): Manifest['files'][number] {
  const bytes = bytesOf(join(directory, name));
  return { name, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** The names of what is in a run's folder, sorted; the manifest itself and files still being written are none of them. */
export async function namesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((name) => name !== manifestFile && !name.endsWith('.part'))
    .toSorted();
}

/** Describes every file that a finished run has written in `manifest.json`: its last file. Others are not the run's to prove. */
export async function writeManifest(directory: string): Promise<Manifest> {
  const names = (await namesIn(directory)).filter((name) => fileOfRun.has(name));
  const files = names.map((name) => describeFile(directory, name));
  const manifest = { format: 'petstore-conformance-manifest/1', files } satisfies Manifest;
  replaceFile(join(directory, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

/** SHA-256 of a run's manifest, in hexadecimal: it stands for every file of the run. Rejects as the file system does. */
export async function manifestDigest(directory: string): Promise<string> {
  return describeFile(directory, manifestFile).sha256;
}

/** The manifest of a run's folder; undefined if there is none, as after an interrupted run. @throws UnreadableRun */
export async function readManifest(directory: string): Promise<Manifest | undefined> {
  const path = join(directory, manifestFile);
  if (!existsSync(path)) return undefined;
  return parsedAs(await readRegular(path), manifestSchema, `${path} is not a manifest`);
}
