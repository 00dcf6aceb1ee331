import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { jsonOf } from '../../lib/evidence/record/record-text.js';
import { settingsSchema } from '../../lib/options/settings-file.js';
import { runRecordSchema } from '../../lib/evidence/record/record.js';
import { bundle } from '../bundle.mjs';
import { builtCodeFile, builtFile, digestOfCode, sourceFile } from '../../lib/run/suite-code.js';
import openApiDocument from '../../lib/specification/openapi.json' with { type: 'json' };

/** `npm run build`: the package as it is published, in `dist/`. */
const project = fileURLToPath(new URL('../..', import.meta.url));
const dist = join(project, 'dist');

const libraryFile = z.object({ name: z.string(), version: z.string(), license: z.string().optional() });

/** A list of npm's in the format of CycloneDX. */
const componentList = z.looseObject({
  components: z.array(z.looseObject({ 'bom-ref': z.string() })),
  dependencies: z.array(z.looseObject({ ref: z.string() })),
});

/** What other tools may use. */
const documents = {
  'openapi.json': openApiDocument,
  'report.schema.json': {
    title: 'Run record of petstore-conformance',
    // As input the objects stay open: fields may be added to the record, and an older reader must not refuse them.
    ...z.toJSONSchema(runRecordSchema, { io: 'input' }),
  },
  'config.schema.json': settingsSchema(),
};

/** What is started or imported. */
const entryPoints = [
  'lib/index.ts',
  'scripts/petstore-conformance.ts',
  'scripts/program.ts',
  'reports/vitest/conformance-tests.ts',
];

// What an earlier build left behind would be published too.
rmSync(dist, { recursive: true, force: true });
const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
// What it writes is the same without checking, which `npm run types` does; checking takes twice as long as the rest.
const declare = [join(typescript, 'bin', 'tsc'), '-p', join(project, 'tsconfig.build.json'), '--noCheck'];
process.exitCode = spawnSync(process.execPath, declare, { stdio: 'inherit' }).status ?? 1;
if (process.exitCode === 0) {
  const { metafile } = await bundle({
    project,
    entryPoints,
    outdir: dist,
    outbase: '.',
  });
  const libraries = librariesOf(Object.keys(metafile.inputs));
  writeFileSync(join(dist, 'LICENSES.txt'), licencesOf(libraries));
  writeFileSync(join(dist, 'sbom.cdx.json'), `${JSON.stringify(bundledList(libraries), null, 2)}\n`);
  const code = { sources: digestOfCode(project, sourceFile), built: digestOfCode(dist, builtFile) };
  writeFileSync(join(dist, builtCodeFile), `${JSON.stringify(code, null, 2)}\n`);
  for (const [name, document] of Object.entries(documents))
    writeFileSync(join(dist, name), `${JSON.stringify(document, null, 2)}\n`);
}

interface Library {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly license?: string | undefined;
}

/** The libraries that the files of these paths belong to. */
function librariesOf(paths: readonly string[]): Library[] {
  const folders = paths.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(folders)].toSorted().map((library) => {
    const folder = join(project, library);
    const file = readFileSync(join(folder, 'package.json'), 'utf8');
    return { folder, ...libraryFile.parse(jsonOf(file)) };
  });
}

/** The licences of libraries: their texts must go with them. */
function licencesOf(libraries: readonly Library[]): string {
  const texts = libraries.map(({ folder, name, version, license }) => {
    const file = readdirSync(folder).find((other) => /^licen[cs]e/i.test(other));
    const text =
      file === undefined ? `Licence: ${license ?? 'see its page'}` : readFileSync(join(folder, file), 'utf8');
    return `${name} ${version}\n\n${text.trim()}\n`;
  });
  return `The package holds these libraries.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

/** npm's list of all components, of what is bundled alone: there scanners look for the versions of libraries. */
function bundledList(libraries: readonly Library[]): z.infer<typeof componentList> {
  const bundled = new Set(libraries.map(({ name, version }) => `${name}@${version}`));
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'];
  const { stdout } = spawnSync('npm', args, { cwd: project, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const list = componentList.parse(jsonOf(stdout));
  return {
    ...list,
    components: list.components.filter((component) => bundled.has(component['bom-ref'])),
    dependencies: list.dependencies.filter(({ ref }) => bundled.has(ref)),
  };
}
