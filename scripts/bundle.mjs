import { join } from 'node:path';
import { build } from 'esbuild';

/** Each entry point becomes one module with all libraries in it. Names stay, so that a stack trace can be read. */
export async function bundle({ project, ...options }) {
  return build({
    format: 'esm',
    // Libraries that are no ES modules call it.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    ...options,
    absWorkingDir: project,
    bundle: true,
    minifyWhitespace: true,
    minifySyntax: true,
    platform: 'node',
    target: 'node20.18',
    external: ['vitest', 'esbuild', '@stryker-mutator/instrumenter'],
    alias: { undici: join(project, 'scripts', 'undici-parts.cjs') },
    metafile: true,
    logLevel: 'warning',
  });
}

/** A program as one script, for `runProgram`: V8 keeps what it has compiled of a script, and not of a module. */
export async function bundleProgram(options) {
  return bundle({
    ...options,
    format: 'cjs',
    banner: { js: "const moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
    define: { 'import.meta.url': 'moduleUrl' },
  });
}
