import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { notReached } from '../lib/evidence/record/cut-off.js';
import type { RunRecord } from '../lib/evidence/record/record.js';
import { recordText } from '../lib/evidence/record/record-text.js';
import { UnreadableRun } from '../lib/evidence/record/read-exchanges.js';
import { RecordLost } from '../lib/evidence/record/run-files.js';
import { count } from '../lib/explain/count.js';
import type { CommandLine } from '../lib/options/command-line.js';
import { agent } from '../reports/agent.js';
import { withPreviousRun } from '../reports/compare/previous-run.js';
import { recordFile } from '../reports/finished-run.js';
import { tellGitHub } from '../reports/github.js';
import { manifestDigest } from '../reports/manifest.js';
import { writeReports, type RendererName } from '../reports/renderers.js';
import { isSelfCheck, selfCheck } from '../reports/summary/self-check.js';
import { wasNothingJudged } from '../reports/summary/verdict-sentences.js';
import type { TextLayout } from '../reports/terminal/layout.js';
import { renderTerminal } from '../reports/terminal/terminal-report.js';
import type { WaiversFile } from '../reports/waivers/read-waivers.js';
import { applyWaivers } from '../reports/waivers/waiver-outcome.js';
import { nextLine } from './repeated-run.js';
import { complain } from './run-command.js';

export interface Reporting {
  readonly reports: readonly RendererName[];
  readonly waivers: WaiversFile | undefined;
  /** What the user typed, and how the command was called: they make the command that is to come next. */
  readonly typed: CommandLine['typed'];
  readonly invocation: string;
}

interface Output extends Reporting {
  readonly forAgent: boolean;
  readonly layout: TextLayout;
}

/**
 * Writes and prints what a run leaves behind: its record with the waivers applied, the reports, the manifest of all files.
 * @throws RecordLost if the disk is full, or the folder is gone.
 */
export async function reportRun(
  directory: string,
  recorded: RunRecord,
  { reports, waivers, typed, invocation, forAgent, layout }: Output,
  output: NodeJS.WriteStream,
): Promise<RunRecord> {
  const waived =
    waivers === undefined
      ? recorded
      : applyWaivers(recorded, waivers.waivers, {
          now: new Date(recorded.run.finishedAt),
          file: waivers,
        });
  const record = await withPreviousRun(waived, directory);
  try {
    if (record !== recorded) await writeFile(join(directory, recordFile), recordText(record));
    await writeReports(directory, reports);
  } catch (error) {
    const isOfTheDisk = error instanceof UnreadableRun || (error instanceof Error && 'syscall' in error);
    throw isOfTheDisk ? new RecordLost(record, error) : error;
  }
  const verbose = typed['verbose'] === true;
  const file = reports.includes('html') ? undefined : recordFile;
  const digest = await manifestDigest(directory);
  if (forAgent) process.stdout.write(await readFile(join(directory, agent.file), 'utf8'));
  else output.write(renderTerminal(record, { ...layout, directory, file, verbose }));
  const print = (text: string): boolean => output.write(`${text}\n`);
  await tellGitHub(record, { environment: process.env, directory, digest, print }).catch((error: unknown) =>
    complain(`GITHUB_STEP_SUMMARY or GITHUB_OUTPUT: ${messageOf(error)}`),
  );
  const left = record.requirements.filter(({ reason }) => reason === notReached).length;
  if (left > 0) output.write(`The run ended early (--bail): ${count(left, 'requirement')} not reached.\n`);
  // A log that others keep is a witness: `report verify --digest` holds the folder to it. The command to run next is on
  // the same line: each is looked for on the last one.
  const next = typed['watch'] === undefined ? nextLine(record, directory, typed, invocation) : undefined;
  const isOfUse = next !== undefined && !wasNothingJudged(record);
  output.write(`Digest sha256:${digest}${isOfUse ? `  ${next}` : ''}\n`);
  if (isSelfCheck(record)) output.write(`${selfCheck}\n`);
  return record;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
