import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';

/** The package's folder: beside the sources in the repository, one folder further up as it is installed. */
const folder = ['../../', '../../../']
  .map((path) => new URL(path, import.meta.url))
  .find((one) => existsSync(new URL('package.json', one)));

/** A file of the package, by its path from `package.json`. */
export function packageFile(path: string): URL {
  if (!folder) throw new Error('package.json is missing: the installation is not whole');
  return new URL(path, folder);
}

/** Where the code of the package is: the sources in the repository, what was built from them as it is installed. */
export function codeFolder(): URL {
  const built = packageFile('dist/');
  return import.meta.url.startsWith(built.href) ? built : packageFile('');
}

const described = z
  .object({ name: z.string(), version: z.string() })
  .parse(JSON.parse(readFileSync(packageFile('package.json'), 'utf8')));

/** The suite's name and version, as records, reports and the User-Agent header state them. */
export const { name: suiteName, version: suiteVersion } = described;
