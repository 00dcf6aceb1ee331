import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { printable, printableDeep } from '../../lib/explain/printable.js';
import { recordFile, type FinishedRun } from '../finished-run.js';
import { nameOf } from '../html/sections/verdict.js';
import { writeReport } from '../renderers.js';
import { renderIndex, type Implementation } from './index-page.js';

/** A run, under the name of the implementation, if that is not the name of its target. */
type PublishedRun = FinishedRun & { readonly name?: string | undefined };

/**
 * Writes static pages of many implementations into a folder: a table of requirements by implementation, and for each its
 * report, with the evidence, and its record. Returns the path of the table. Nothing of it is loaded from elsewhere.
 */
export async function writeSite(runs: readonly PublishedRun[], folder: string): Promise<string> {
  const implementations: Implementation[] = [];
  await mkdir(folder, { recursive: true });
  for (const run of runs) {
    const record = printableDeep(run.record);
    const name = printable(run.name ?? nameOf(record));
    const slug = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    // No other has its number.
    const implementation = { name, folder: `${implementations.length + 1}-${slug}`, record };
    implementations.push(implementation);
    const own = join(folder, implementation.folder);
    await writeReport(run, 'html', own);
    await copyFile(join(run.directory, recordFile), join(own, recordFile));
  }
  const path = join(folder, 'index.html');
  await writeFile(path, renderIndex(implementations));
  return path;
}
