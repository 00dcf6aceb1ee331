import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/**
 * One installed package instead of a hundred, and few files instead of five hundred: a run begins twice as fast.
 * @param {{ project: string, entryPoints: string[], outdir: string, outbase?: string, chunkNames?: string }} options
 */
export async function bundle({ project, ...options }) {
  return build({
    chunkNames: '[name]-[hash]',
    ...options,
    absWorkingDir: project,
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
    metafile: true,
    define: { reportStyle: JSON.stringify(readFileSync(join(project, 'reports/html/report.css'), 'utf8')) },
    logLevel: 'warning',
  });
}
