import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publishDocuments } from './publish-documents.js';

/** `npm run build`: the package as it is published, in `dist/`. */
const project = fileURLToPath(new URL('../..', import.meta.url));
const dist = join(project, 'dist');

function compile(): number {
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  const compiler = join(typescript, 'bin', 'tsc');
  return (
    spawnSync(process.execPath, [compiler, '-p', join(project, 'tsconfig.build.json')], { stdio: 'inherit' })
      .status ?? 1
  );
}

// What an earlier build left behind would be published too.
rmSync(dist, { recursive: true, force: true });
process.exitCode = compile();
if (process.exitCode === 0) publishDocuments(dist);
