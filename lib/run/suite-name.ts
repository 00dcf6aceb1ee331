import { readFileSync } from 'node:fs';
import { z } from 'zod';

const packageFile = z.object({ name: z.string(), version: z.string() });

/** Beside the sources in the repository, one folder further up in the package as it is installed. */
function readPackage(): z.infer<typeof packageFile> {
  for (const path of ['../../package.json', '../../../package.json']) {
    try {
      return packageFile.parse(JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')));
    } catch {
      continue;
    }
  }
  throw new Error('package.json is missing: the installation is not whole');
}

/** The suite's name and version, as records, reports and the User-Agent header state them. */
export const { name: suiteName, version: suiteVersion } = readPackage();
