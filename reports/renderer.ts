import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FinishedRun } from './finished-run.js';

/** One format of report: a function of what the run's folder holds. */
export interface Renderer {
  /** The file that it writes into the run's folder. */
  readonly file: string;
  /** The file's text. */
  readonly render: (run: FinishedRun) => Promise<string>;
}

/**
 * Writes a report into a folder (by default the run's own) and returns the file's path. The file appears whole or not at
 * all: it is written beside its place and then moved.
 */
export async function writeReport(
  run: FinishedRun,
  { file, render }: Renderer,
  directory: string = run.directory,
): Promise<string> {
  await mkdir(directory, { recursive: true });
  const path = join(directory, file);
  const unfinished = `${path}.${process.pid}.part`;
  try {
    await writeFile(unfinished, await render(run));
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
  }
  return path;
}
