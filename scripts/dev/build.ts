import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { z } from 'zod';
import { settingsSchema } from '../../lib/options/settings-file.js';
import { runRecordSchema } from '../../lib/record/record.js';
import { builtCodeFile, builtFile, digestOfCode, sourceFile } from '../../lib/run/suite-code.js';
import { openApiDocument } from '../../lib/specification/openapi.js';

/** `npm run build`: the package as it is published, in `dist/`. */
const project = fileURLToPath(new URL('../..', import.meta.url));
const dist = join(project, 'dist');

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

/** The worker's messages are English: without the translations of zod the file fits into a ConfigMap of Kubernetes (1 MiB). */
const withoutTranslations: Plugin = {
  name: 'without translations',
  setup(bundle) {
    bundle.onResolve({ filter: /locales\/index\.js$/ }, () => ({ path: 'locales', namespace: 'none' }));
    bundle.onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'export {}' }));
  },
};

// What an earlier build left behind would be published too.
rmSync(dist, { recursive: true, force: true });
const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
const compile = [join(typescript, 'bin', 'tsc'), '-p', join(project, 'tsconfig.build.json')];
process.exitCode = spawnSync(process.execPath, compile, { stdio: 'inherit' }).status ?? 1;
if (process.exitCode === 0) {
  await build({
    entryPoints: [join(project, 'lib/fleet/worker-file.ts')],
    outfile: join(dist, 'worker.cjs'),
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    logLevel: 'error',
    plugins: [withoutTranslations],
  });
  const code = { sources: digestOfCode(project, sourceFile), built: digestOfCode(dist, builtFile) };
  writeFileSync(join(dist, builtCodeFile), `${JSON.stringify(code, null, 2)}\n`);
  for (const [name, document] of Object.entries(documents))
    writeFileSync(join(dist, name), `${JSON.stringify(document, null, 2)}\n`);
}
