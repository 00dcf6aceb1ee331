import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { selectedFiles } from '../vitest/selected-files.js';

const project = fileURLToPath(new URL('../..', import.meta.url));
/** Written last, when a build is complete. */
const lastBuilt = join(project, 'dist', 'report.schema.json');
const sources = [
  'lib',
  'reports',
  'scripts',
  'suites',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

/** Builds the package if a source is newer than the build, and a test is selected that starts the published program. */
export default async function buildPackage(tests: TestProject): Promise<void> {
  if (!(await selectedFiles(tests)).some(startsProgram)) return;
  const built = statSync(lastBuilt, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (sources.every((source) => newest(join(project, source)) < built)) return;
  const { status } = spawnSync(process.execPath, [join(project, 'scripts', 'dev.mjs'), 'dev/build'], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('the package could not be built: see above');
}

function startsProgram(test: string): boolean {
  return /testing\/program\.js|'dist'|\/dist\//.test(readFileSync(test, 'utf8'));
}

/** When a file, or any in a folder, was changed last; a folder is changed when a file in it comes or goes. */
function newest(path: string): number {
  const found = statSync(path);
  if (!found.isDirectory()) return found.mtimeMs;
  // No test is in the package.
  const within = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !/\.test\.tsx?$/.test(name),
  );
  return Math.max(found.mtimeMs, ...within.map((name) => statSync(join(path, name)).mtimeMs));
}
