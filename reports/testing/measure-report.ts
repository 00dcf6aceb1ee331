import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readFinishedRun } from '../finished-run.js';
import { writeManifest } from '../manifest.js';
import { writeReport } from '../renderer.js';
import { rendererNames, renderers } from '../renderers.js';
import { verifyRun } from '../verify/verify-run.js';
import { writeLargeRun } from './write-sample-run.js';

/**
 * Measures every report of a large run, each in a process of its own, so that its peak memory is its own:
 * `npx tsx reports/testing/measure-report.ts [EXCHANGES]`.
 */
const [first = '200000', directory] = process.argv.slice(2);

async function measure(name: string, folder: string): Promise<string> {
  const begin = performance.now();
  if (name === 'manifest') await writeManifest(folder);
  else if (name === 'verify') {
    const { record } = await readFinishedRun(folder);
    const replay = async () => ({ record, discrepancies: [], leftOut: new Map<string, string>() });
    await verifyRun(folder, { ...record.suite, replay });
  } else {
    const renderer = Object.values(renderers).find((known) => known.name === name);
    if (renderer) await writeReport(await readFinishedRun(folder), renderer);
  }
  const seconds = ((performance.now() - begin) / 1000).toFixed(2);
  const megabytes = (process.resourceUsage().maxRSS / 1024).toFixed(0);
  return `${name.padEnd(10)}${seconds.padStart(8)} s ${megabytes.padStart(6)} MB at most`;
}

if (directory === undefined) {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-large-'));
  await writeLargeRun(folder, Number(first));
  const { size } = await stat(join(folder, 'exchanges.jsonl'));
  process.stdout.write(`${first} exchanges, ${(size / 1e6).toFixed(0)} MB\n`);
  for (const name of [...rendererNames, 'manifest', 'verify']) {
    spawnSync(process.execPath, [...process.execArgv, fileURLToPath(import.meta.url), name, folder], {
      stdio: 'inherit',
    });
  }
  await rm(folder, { recursive: true });
} else {
  process.stdout.write(`${await measure(first, directory)}\n`);
}
