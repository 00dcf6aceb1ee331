import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { jsonOf } from '../../lib/evidence/record/regular-file.js';
import { runRecordSchema } from '../../lib/evidence/record/record.js';
import { settingsSchema } from '../../lib/options/sources.js';
import { packageFile } from '../../lib/run/suite-name.js';
import { bundle, bundleProgram } from '../bundle.mjs';

/** `npm run build`: the package as it is published, in `dist/`. */
const project = fileURLToPath(packageFile(''));
const dist = join(project, 'dist');
const writeJson = (name: string, content: object): void =>
  writeFileSync(join(dist, name), `${JSON.stringify(content, null, 2)}\n`);

// What an earlier build left behind would be published too.
rmSync(dist, { recursive: true, force: true });
const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
// What it writes is the same without checking, which `npm run types` does; checking takes twice as long as the rest.
const declare = [join(typescript, 'bin', 'tsc'), '-p', join(project, 'tsconfig.build.json'), '--noCheck'];
process.exitCode = spawnSync(process.execPath, declare, { stdio: 'inherit' }).status ?? 1;
if (process.exitCode === 0) void writePackage();

async function writePackage(): Promise<void> {
  const modules = ['lib/index.ts', 'scripts/petstore-conformance.mjs', 'reports/vitest/conformance-tests.ts'];
  const program = join(dist, 'scripts', 'program.cjs');
  const made = await Promise.all([
    bundle({ project, entryPoints: modules, outdir: dist, outbase: '.' }),
    bundleProgram({ project, entryPoints: ['scripts/program.ts'], outfile: program }),
  ]);
  const inputs = made.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []);
  const bundled = writeLicences([...new Set(folders)].toSorted());
  writeBillOfMaterials(bundled);
  copyFileSync(join(project, 'lib/specification/openapi.json'), join(dist, 'openapi.json'));
  writeJson('config.schema.json', settingsSchema());
  writeJson('report.schema.json', {
    title: 'Run record of petstore-conformance',
    // As input the objects stay open: fields may be added to the record, and an older reader must not refuse them.
    ...z.toJSONSchema(runRecordSchema, { io: 'input' }),
  });
}

const libraryFile = z.object({ name: z.string(), version: z.string() });

/** The licences of bundled libraries, whose texts must go with them. Gives the names and versions of these. */
function writeLicences(folders: readonly string[]): ReadonlySet<string> {
  const libraries = folders.map((library) => {
    const folder = join(project, library);
    const file = readFileSync(join(folder, 'package.json'), 'utf8');
    const { name, version } = libraryFile.parse(jsonOf(file));
    const own = readdirSync(folder).find((other) => /^licen[cs]e/i.test(other));
    if (own === undefined) throw new Error(`${name} has no text of its licence`);
    return { name, version, text: readFileSync(join(folder, own), 'utf8').replaceAll('\r\n', '\n').trim() };
  });
  const texts = libraries.map(({ name, version, text }) => `${name} ${version}\n\n${text}\n`);
  const content = ['The package holds these libraries.\n', texts.join(`\n${'-'.repeat(80)}\n\n`)];
  writeFileSync(join(dist, 'LICENSES.txt'), content.join('\n'));
  return new Set(libraries.map(({ name, version }) => `${name}@${version}`));
}

/** A list of npm's in the format of CycloneDX. */
const componentList = z.looseObject({
  components: z.array(z.looseObject({ 'bom-ref': z.string() })),
  dependencies: z.array(z.looseObject({ ref: z.string() })),
});

/** npm's list of the bundled libraries, which scanners look for. */
function writeBillOfMaterials(bundled: ReadonlySet<string>): void {
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'];
  const { stdout } = spawnSync('npm', args, { cwd: project, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const list = componentList.parse(jsonOf(stdout));
  writeJson('sbom.cdx.json', {
    ...list,
    components: list.components.filter((component) => bundled.has(component['bom-ref'])),
    dependencies: list.dependencies.filter(({ ref }) => bundled.has(ref)),
  });
}
