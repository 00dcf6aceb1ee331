import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

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

/** Builds the package for the tests that start the published program, if a source is newer than the build. */
export default function buildPackage(): void {
  const built = statSync(lastBuilt, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (sources.every((source) => newest(join(project, source)) < built)) return;
  const { status } = spawnSync(process.execPath, [join(project, 'scripts', 'dev.mjs'), 'dev/build'], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('the package could not be built: see above');
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
