import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram } from './compiled-program.mjs';

// Runs the program, or a script of scripts/dev, from its TypeScript source: `node scripts/dev.mjs report --help`.
process.title = 'petstore-conformance';
const project = fileURLToPath(new URL('..', import.meta.url));
const [name = ''] = process.argv.slice(2);
const isOfContributors = name.startsWith('dev/');
if (isOfContributors) process.argv.splice(2, 1);
runProgram(await bundled(isOfContributors ? name : 'program'));

/** A script as one file: five hundred take three times as long to load. Made again after each change of a source. */
async function bundled(script) {
  const sources = ['lib', 'reports', 'scripts', 'suites', 'docs/init'].flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true })
      // Runs are kept in reports/runs.
      .filter((path) => !/\.test\.tsx?$|^runs(?:[\\/]|$)/.test(path))
      .map((path) => join(project, folder, path)),
  );
  const files = [...sources, join(project, 'package-lock.json'), join(project, 'tsconfig.json')];
  const newest = Math.max(...files.map((path) => statSync(path).mtimeMs));
  const folder = join(project, 'node_modules', '.cache', `petstore-${newest}-${files.length}`);
  const file = join(folder, `${script.replace('/', '-')}.cjs`);
  if (existsSync(file)) return file;
  const { bundleProgram } = await import('./bundle.mjs');
  mkdirSync(folder, { recursive: true });
  const own = `${file}.${process.pid}`;
  await bundleProgram({ project, entryPoints: [`scripts/${script}.ts`], outfile: own });
  // Another process may have been as fast.
  renameSync(own, file);
  return file;
}
