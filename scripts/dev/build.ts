import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { jsonOf } from '../../lib/evidence/record/regular-file.js';
import { settingsSchema } from '../../lib/options/settings-file.js';
import { runRecordSchema } from '../../lib/evidence/record/record.js';
import { bundle, bundleProgram } from '../bundle.mjs';
import { packageFile } from '../../lib/run/suite-name.js';
import openApiDocument from '../../lib/specification/openapi.json' with { type: 'json' };

/** `npm run build`: the package as it is published, in `dist/`. */
const project = fileURLToPath(packageFile(''));
const dist = join(project, 'dist');
const write = (name: string, content: string | object): void =>
  writeFileSync(
    join(dist, name),
    typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`,
  );

const libraryFile = z.object({ name: z.string(), version: z.string(), license: z.string().optional() });

/** A list of npm's in the format of CycloneDX. */
const componentList = z.looseObject({
  components: z.array(z.looseObject({ 'bom-ref': z.string() })),
  dependencies: z.array(z.looseObject({ ref: z.string() })),
});

// What an earlier build left behind would be published too.
rmSync(dist, { recursive: true, force: true });
const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
// What it writes is the same without checking, which `npm run types` does; checking takes twice as long as the rest.
const declare = [join(typescript, 'bin', 'tsc'), '-p', join(project, 'tsconfig.build.json'), '--noCheck'];
process.exitCode = spawnSync(process.execPath, declare, { stdio: 'inherit' }).status ?? 1;
if (process.exitCode === 0) void writePackage();

async function writePackage(): Promise<void> {
  const made = await Promise.all([
    bundle({
      project,
      entryPoints: [
        'lib/index.ts',
        'scripts/petstore-conformance.mjs',
        'reports/vitest/conformance-tests.ts',
      ],
      outdir: dist,
      outbase: '.',
    }),
    bundleProgram({
      project,
      entryPoints: ['scripts/program.ts'],
      outfile: join(dist, 'scripts', 'program.cjs'),
    }),
  ]);
  const libraries = made.flatMap(({ metafile }) =>
    Object.keys(metafile.inputs).flatMap(
      (path) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[0] ?? [],
    ),
  );
  writeLibraries([...new Set(libraries)].toSorted());
  write('openapi.json', openApiDocument);
  write('config.schema.json', settingsSchema());
  write('report.schema.json', {
    title: 'Run record of petstore-conformance',
    // As input the objects stay open: fields may be added to the record, and an older reader must not refuse them.
    ...z.toJSONSchema(runRecordSchema, { io: 'input' }),
  });
}

/** Of a library that names its licence and does not bring the text: the text must go with what is bundled all the same. */
function licenceTextOf(name: string, licence = ''): string {
  if (licence !== 'Apache-2.0')
    throw new Error(`${name} has no text of its licence (${licence || 'unknown'})`);
  const text = readFileSync(join(typescript, 'LICENSE'), 'utf8');
  return text.replaceAll('\r\n', '\n');
}

/** The licences of bundled libraries, whose texts must go with them, and npm's list of these, which scanners look for. */
function writeLibraries(folders: readonly string[]): void {
  const bundled = new Set<string>();
  const texts = folders.map((library) => {
    const folder = join(project, library);
    const file = readFileSync(join(folder, 'package.json'), 'utf8');
    const { name, version, license } = libraryFile.parse(jsonOf(file));
    bundled.add(`${name}@${version}`);
    const own = readdirSync(folder).find((other) => /^licen[cs]e/i.test(other));
    const text = own === undefined ? licenceTextOf(name, license) : readFileSync(join(folder, own), 'utf8');
    return `${name} ${version}\n\n${text.trim()}\n`;
  });
  write('LICENSES.txt', `The package holds these libraries.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`);
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'];
  const { stdout } = spawnSync('npm', args, { cwd: project, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const list = componentList.parse(jsonOf(stdout));
  write('sbom.cdx.json', {
    ...list,
    components: list.components.filter((component) => bundled.has(component['bom-ref'])),
    dependencies: list.dependencies.filter(({ ref }) => bundled.has(ref)),
  });
}
