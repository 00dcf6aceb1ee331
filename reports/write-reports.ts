import { readFinishedRun } from './finished-run.js';
import { writeManifest } from './manifest.js';
import { writeReport } from './renderer.js';
import { renderers, type RendererName } from './renderers.js';

/**
 * Makes the reports of a run that has just ended, in its own folder, and then the manifest of all its files. Gives the
 * paths of the reports in the order of their names.
 *
 * @throws UnreadableRun where the folder holds no record.
 */
export async function writeReports(directory: string, names: readonly RendererName[]): Promise<string[]> {
  const run = await readFinishedRun(directory);
  const paths: string[] = [];
  for (const name of names) paths.push(await writeReport(run, renderers[name]));
  await writeManifest(directory);
  return paths;
}
