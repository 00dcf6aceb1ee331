import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { jsonOf } from '../evidence/record/record-text.js';
import type { RunRecord } from '../evidence/record/record.js';
import { codeFolder, suiteName, suiteVersion } from './suite-name.js';

/** In the package: the digest of the sources that it was built from, and of what the build made of them. */
export const builtCodeFile = 'code.json';
const builtCodeSchema = z.object({ sources: z.string(), built: z.string() });

const folders = ['lib', 'reports', 'scripts', 'suites'];
/** Tests, what they use, and what contributors start: no run rests on them. */
const notRun =
  /\.test\.|\.d\.ts$|\/testing\/|^(?:lib\/(?:hostile|proof|reference\/(?:faults|variants))|scripts\/(?:dev|fleet-engine))\//;

/**
 * SHA-256 of the names and texts of the code below a folder. Files of one text and name have one digest, whatever the
 * system's line ends and separators are.
 */
export function digestOfCode(root: string, extension: RegExp): string {
  const hash = createHash('sha256');
  const names = folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => !entry.isDirectory() && extension.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((name) => !notRun.test(name))
    .sort();
  for (const name of names) {
    const bytes = readFileSync(join(root, name));
    hash.update(`${name}\0`);
    hash.update(bytes.includes('\r') ? bytes.toString('utf8').replaceAll('\r\n', '\n') : bytes);
    hash.update('\0');
  }
  return hash.digest('hex');
}

export const sourceFile = /\.(?:tsx?|mjs|css|json)$/;
export const builtFile = /\.c?js$/;

/**
 * The digest of the code in a checkout, or in the package. A package that is as it was built has the digest of its sources,
 * so that the same code has one digest in both; one that was changed afterwards has another.
 */
export function digestOfSuite(root: string): string {
  const file = readdirSync(root).find((name) => name === builtCodeFile);
  if (file === undefined) return digestOfCode(root, sourceFile);
  const { sources, built } = builtCodeSchema.parse(jsonOf(readFileSync(join(root, file), 'utf8')));
  const now = digestOfCode(root, builtFile);
  return now === built ? sources : now;
}

let digest: string | undefined;

/** The suite that runs, as a record names it. */
export function thisSuite(): RunRecord['suite'] {
  return { name: suiteName, version: suiteVersion, digest: suiteDigest() };
}

/** The digest of the code that runs. */
export function suiteDigest(): string {
  digest ??= digestOfSuite(fileURLToPath(codeFolder()));
  return digest;
}
