import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunRecord } from '../lib/record/record.js';
import { UnreadableRun } from '../lib/record/recorded-exchanges.js';
import { recordText } from '../lib/record/record-text.js';
import { RecordLost } from '../lib/record/run-files.js';
import { writeReports } from '../reports/write-reports.js';
import { recordFile } from '../reports/finished-run.js';
import { applyWaivers } from '../reports/waivers/apply-waivers.js';
import type { Reporting } from './run-target.js';

export { tellGitHub } from '../reports/github.js';

/**
 * Writes what a run leaves behind: its record with the waivers applied, the reports, and the manifest of all files. It
 * stands in a file of its own: what only the end needs is not loaded before the first request.
 * @throws RecordLost if the disk is full, or the folder is gone.
 */
export async function finishRun(
  directory: string,
  recorded: RunRecord,
  { reports, waivers }: Reporting,
): Promise<RunRecord> {
  const record = waivers === undefined ? recorded : applyWaivers(recorded, waivers, { now: new Date() });
  try {
    if (record !== recorded) await writeFile(join(directory, recordFile), recordText(record));
    await writeReports(directory, reports);
  } catch (error) {
    throw isOfTheDisk(error) ? new RecordLost(record, error) : error;
  }
  return record;
}

/** An error of the file system names the call; one of a renderer is ours. */
function isOfTheDisk(error: unknown): boolean {
  return error instanceof UnreadableRun || (error instanceof Error && 'syscall' in error);
}
