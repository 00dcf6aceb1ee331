import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Runs a script of this folder from its TypeScript source: `node scripts/dev.mjs conformance --help`.
const [name = '', ...rest] = process.argv.slice(2);
// A key on the command line stands in the list of processes until the title is set.
process.title = `petstore-${name}`;
process.argv.splice(2, process.argv.length - 2, ...rest);
const commands = ['conformance', 'init', 'reference', 'report', 'load', 'explain', 'list'];
const project = fileURLToPath(new URL('..', import.meta.url));
if (!commands.includes(name)) {
  const { register } = await import('tsx/esm/api');
  // It says how JSX is compiled. The working folder may have another one, or none.
  register({ tsconfig: join(project, 'tsconfig.json') });
  await import(`./${name}.ts`);
} else {
  await import(pathToFileURL(join(await bundled(), `${name}.js`)).href);
}

/** The folder of the commands as few files: five hundred take three times as long to load. Made again after each change. */
async function bundled() {
  const hash = createHash('sha256');
  const sources = ['lib', 'reports', 'scripts', 'suites'].flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true })
      .filter((path) => /(?<!\.test)\.(?:tsx?|css)$/.test(path))
      .map((path) => join(project, folder, path)),
  );
  for (const path of [...sources, join(project, 'package-lock.json'), join(project, 'tsconfig.json')]) {
    const { mtimeMs, size } = statSync(path);
    hash.update(`${path} ${mtimeMs} ${size}\n`);
  }
  const folder = join(project, 'node_modules', '.cache', `petstore-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(folder)) return folder;
  const { build } = await import('esbuild');
  const own = `${folder}-${process.pid}`;
  await build({
    absWorkingDir: project,
    entryPoints: commands.map((command) => `scripts/${command}.ts`),
    outdir: own,
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.18',
    external: ['vitest'],
    // Its main file loads others in a way that no bundler follows.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    // Libraries that are no ES modules call it.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    define: { reportStyle: JSON.stringify(readFileSync(join(project, 'reports/html/report.css'), 'utf8')) },
    logLevel: 'warning',
  });
  try {
    renameSync(own, folder);
  } catch (error) {
    // Another process was faster.
    rmSync(own, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}
