import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../lib/evidence/record/regular-file.js';
import { reportNames } from '../lib/options/run-options.js';
import { readFinishedRun, type FinishedRun, writeManifest } from './finished-run.js';
import { renderHtml } from './html/render.js';
import { junitXml } from './junit.js';
import { markdownSummary } from './github.js';

export type RendererName = (typeof reportNames)[number];

export const renderers = {
  html: { file: 'report.html', render: renderHtml },
  junit: { file: 'junit.xml', render: async ({ record }: FinishedRun) => junitXml(record) },
  markdown: { file: 'summary.md', render: async ({ record }: FinishedRun) => markdownSummary(record) },
} as const satisfies Record<RendererName, unknown>;

export function renderersIn(names: readonly string[]): RendererName[] {
  return reportNames.filter((name) => names.includes('all') || names.includes(name));
}

/** Writes a report into a folder (by default the run's own) and returns the file's path. */
export async function writeReport(
  run: FinishedRun,
  name: RendererName,
  directory: string = run.directory,
): Promise<string> {
  const { file, render } = renderers[name];
  await mkdir(directory, { recursive: true });
  const path = join(directory, file);
  replaceFile(path, await render(run));
  return path;
}

/** Writes the reports of a run that has just ended, and then the manifest of all its files. @throws UnreadableRun */
export async function writeReports(directory: string, names: readonly RendererName[]): Promise<void> {
  const run = await readFinishedRun(directory);
  for (const name of names) await writeReport(run, name);
  await writeManifest(directory);
}
