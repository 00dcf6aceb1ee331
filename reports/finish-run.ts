import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunRecord } from '../lib/run/record.js';
import { recordFile, readFinishedRun } from './finished-run.js';
import { writeManifest } from './manifest.js';
import { writeReport } from './renderer.js';
import { renderers, type RendererName } from './renderers.js';

/**
 * What a run leaves behind once it has ended: the record as it stands after the waivers, the reports that were asked
 * for, and the manifest of it all. Rejects as the file system does.
 */
export async function finishRun(
  directory: string,
  record: RunRecord,
  reports: readonly RendererName[],
): Promise<void> {
  await writeFile(join(directory, recordFile), `${JSON.stringify(record, undefined, 2)}\n`);
  const finished = await readFinishedRun(directory);
  for (const name of reports) await writeReport(finished, renderers[name]);
  await writeManifest(directory);
}
