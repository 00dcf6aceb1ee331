import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { notReached } from '../lib/evidence/record/cut-off.js';
import type { RunRecord } from '../lib/evidence/record/record.js';
import { recordText } from '../lib/evidence/record/record-text.js';
import { UnreadableRun } from '../lib/evidence/record/read-exchanges.js';
import { RecordLost } from '../lib/evidence/record/run-files.js';
import { count } from '../lib/explain/count.js';
import { withPreviousRun } from '../reports/compare/previous-run.js';
import { recordFile } from '../reports/finished-run.js';
import { tellGitHub } from '../reports/github.js';
import { manifestDigest } from '../reports/manifest.js';
import { writeReports } from '../reports/renderers.js';
import { isSelfCheck, selfCheck } from '../reports/summary/verdict-sentences.js';
import { wasNothingJudged } from '../reports/summary/verdict-sentences.js';
import { renderTerminal } from '../reports/terminal/terminal-report.js';
import { applyWaivers } from '../reports/waivers/waiver-outcome.js';
import { nextLine } from './again.js';
import { complain, layout } from './run-command.js';
import type { TestCommand } from './test-run.js';

/**
 * Writes and prints what a run leaves behind: its record with the waivers applied, the reports, the manifest of all files.
 * @throws RecordLost if the disk is full, or the folder is gone.
 */
export async function tellRun(
  { reports, waivers, typed, invocation }: TestCommand,
  directory: string,
  recorded: RunRecord,
): Promise<RunRecord> {
  const waived = waivers === undefined ? recorded : applyWaivers(recorded, waivers);
  const record = await withPreviousRun(waived, directory);
  try {
    if (record !== recorded) await writeFile(join(directory, recordFile), recordText(record));
    await writeReports(directory, reports);
  } catch (error) {
    const isOfTheDisk = error instanceof UnreadableRun || (error instanceof Error && 'syscall' in error);
    throw isOfTheDisk ? new RecordLost(record, error) : error;
  }
  const file = reports.includes('html') ? undefined : recordFile;
  const verbose = typed['verbose'] === true;
  const print = (text: string): boolean => process.stdout.write(`${text}\n`);
  process.stdout.write(renderTerminal(record, { ...layout, directory, file, verbose }));
  const digest = await manifestDigest(directory);
  await tellGitHub(record, { environment: process.env, directory, digest, print }).catch((error: unknown) =>
    complain(
      `GITHUB_STEP_SUMMARY or GITHUB_OUTPUT: ${error instanceof Error ? error.message : String(error)}`,
    ),
  );
  const left = record.requirements.filter(({ reason }) => reason === notReached).length;
  if (left > 0) print(`The run ended early (--bail): ${count(left, 'requirement')} not reached.`);
  // A log that others keep is a witness: `report verify --digest` holds the folder to it. The command to run next is on
  // the same line: each is looked for on the last one.
  const isWatched = typed['watch'] !== undefined || wasNothingJudged(record);
  const next = isWatched ? undefined : nextLine(record, directory, typed, invocation);
  print(`Digest sha256:${digest}${next === undefined ? '' : `  ${next}`}`);
  if (isSelfCheck(record)) print(selfCheck);
  return record;
}
