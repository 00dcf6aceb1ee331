import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { recordFile, type FinishedRun } from '../finished-run.js';
import { htmlReport } from '../html/render.js';
import { nameOf } from '../html/sections/verdict.js';
import { writeReport } from '../renderer.js';
import { renderIndex, type Implementation } from './index-page.js';

/** A run, under the name of the implementation, if that is not the name of its target. */
type PublishedRun = FinishedRun & { readonly name?: string | undefined };

/**
 * Writes static pages of many implementations into a folder: a table of requirements by implementation, and for each its
 * report, with the evidence, and its record. Returns the path of the table. Nothing of it is loaded from elsewhere.
 */
export async function writeSite(runs: readonly PublishedRun[], folder: string): Promise<string> {
  const taken = new Set<string>();
  const implementations: Implementation[] = [];
  await mkdir(folder, { recursive: true });
  for (const run of runs) {
    const { record, name = nameOf(record) } = run;
    const implementation = { name, folder: folderOf(name, taken), record };
    implementations.push(implementation);
    const own = join(folder, implementation.folder);
    await writeReport(run, htmlReport, own);
    await copyFile(join(run.directory, recordFile), join(own, recordFile));
  }
  const path = join(folder, 'index.html');
  await writeFile(path, renderIndex(implementations));
  return path;
}

/** A name as a folder that no other has. */
function folderOf(name: string, taken: Set<string>): string {
  const plain =
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'implementation';
  const free = [plain, ...Array.from({ length: taken.size }, (_, index) => `${plain}-${index + 2}`)];
  const folder = free.find((one) => !taken.has(one)) ?? plain;
  taken.add(folder);
  return folder;
}
