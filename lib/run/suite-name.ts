import { existsSync, readFileSync } from 'node:fs';
import type { RunRecord } from '../evidence/record/record.js';

/** The package's folder: beside the sources in the repository, one folder further up as it is installed. */
const folder = ['../../', '../../../']
  .map((path) => new URL(path, import.meta.url))
  .find((one) => existsSync(new URL('package.json', one)));

/** A file of the package, by its path from `package.json`. */
export function packageFile(path: string): URL {
  if (!folder) throw new Error('package.json is missing: the installation is not whole');
  return new URL(path, folder);
}

/** The suite, as records, reports and the User-Agent header state it. */
export const { name: suiteName, version: suiteVersion } = JSON.parse(
  readFileSync(packageFile('package.json'), 'utf8'),
) as RunRecord['suite'];
export const thisSuite = { name: suiteName, version: suiteVersion };

/** What a run was made on. */
export const madeOn = { node: process.versions.node, platform: `${process.platform} ${process.arch}` };
