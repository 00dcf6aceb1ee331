import { readFinishedRun } from './finished-run.js';
import { htmlReport } from './html/render.js';
import { junit } from './junit.js';
import { writeManifest } from './manifest.js';
import { markdown } from './markdown.js';
import { writeReport, type Renderer } from './renderer.js';

/** Every format of report, by the name that `--report` takes. */
export const renderers = {
  html: htmlReport,
  junit,
  markdown,
} as const satisfies Record<string, Renderer>;
export type RendererName = keyof typeof renderers;
export const rendererNames = Object.keys(renderers) as RendererName[];

/**
 * Writes the reports of a run that has just ended into its folder, and then the manifest of all its files. Returns the
 * paths of the reports in the order of their names.
 * @throws UnreadableRun if the folder holds no record.
 */
export async function writeReports(directory: string, names: readonly RendererName[]): Promise<string[]> {
  const run = await readFinishedRun(directory);
  const paths: string[] = [];
  for (const name of names) paths.push(await writeReport(run, renderers[name]));
  await writeManifest(directory);
  return paths;
}
