import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FinishedRun } from './finished-run.js';

/** One format of report: a function of what the run's folder holds. */
export interface Renderer {
  /** The file that it writes into the run's folder. */
  readonly file: string;
  /** The file's text in pieces, so that a renderer of all exchanges holds one of them at a time. */
  readonly render: (run: FinishedRun) => AsyncIterable<string>;
}

/**
 * Writes a report into a folder (by default the run's own) and returns the file's path. The file appears whole or not at
 * all: it is written beside its place and then moved.
 */
export async function writeReport(
  run: FinishedRun,
  { file, render }: Pick<Renderer, 'file' | 'render'>,
  directory: string = run.directory,
): Promise<string> {
  await mkdir(directory, { recursive: true });
  const path = join(directory, file);
  const unfinished = `${path}.${process.pid}.part`;
  try {
    await pipeline(Readable.from(render(run)), createWriteStream(unfinished));
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  return path;
}
