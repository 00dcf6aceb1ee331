import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Runs the program, or a script of scripts/dev, from its TypeScript source: `node scripts/dev.mjs report --help`.
process.title = 'petstore-conformance';
module.enableCompileCache?.();
const project = fileURLToPath(new URL('..', import.meta.url));
const [name = ''] = process.argv.slice(2);
if (name.startsWith('dev/')) {
  process.argv.splice(2, 1);
  const { register } = await import('tsx/esm/api');
  // It says how JSX is compiled. The working folder may have another one, or none.
  register({ tsconfig: join(project, 'tsconfig.json') });
  await import(`./${name}.ts`);
} else {
  const isHelp = name === '--help' && process.argv.length === 3;
  await import(pathToFileURL(join(await bundled(), isHelp ? 'program-help.js' : 'program.js')).href);
}

/** The folder of the program as few files: five hundred take three times as long to load. Made again after each change. */
async function bundled() {
  const sources = ['lib', 'reports', 'scripts', 'suites', 'docs/init'].flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true })
      .filter((path) => !/\.test\.tsx?$/.test(path))
      .map((path) => join(project, folder, path)),
  );
  const files = [...sources, join(project, 'package-lock.json'), join(project, 'tsconfig.json')];
  const newest = Math.max(...files.map((path) => statSync(path).mtimeMs));
  const folder = join(project, 'node_modules', '.cache', `petstore-${newest}-${files.length}`);
  if (existsSync(folder)) return folder;
  const { bundle } = await import('./bundle.mjs');
  const own = `${folder}-${process.pid}`;
  await bundle({ project, entryPoints: ['scripts/program.ts', 'scripts/program-help.ts'], outdir: own });
  try {
    renameSync(own, folder);
  } catch (error) {
    // Another process was faster.
    rmSync(own, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}
