import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { commandLineOptions } from '../lib/options/command-line-options.js';
import type { ReadOptions } from '../lib/options/read-options.js';
import { withTarget } from '../lib/options/run-request.js';
import { redactionOfCommandLine } from '../lib/options/command-redaction.js';
import type { RunRecord } from '../lib/record/record.js';
import { recordText } from '../lib/record/record-text.js';
import { UnreadableRun } from '../lib/record/recorded-exchanges.js';
import { RecordLost, withRunFolder } from '../lib/record/run-files.js';
import { run } from '../lib/run/conformance.js';
import { dryRun } from '../lib/run/dry-run.js';
import { progressOn, type Progress } from '../lib/run/progress.js';
import { classesOf, select } from '../lib/run/selection.js';
import type { Listener, Settings } from '../lib/run/settings.js';
import type { CommandLine } from '../lib/usage/command-line.js';
import { logText, printable } from '../lib/usage/printable.js';
import { terminalWidth } from '../lib/usage/terminal.js';
import { exitCode } from '../lib/verdict/exit-status.js';
import { agent } from '../reports/agent.js';
import { recordFile } from '../reports/finished-run.js';
import type { RendererName } from '../reports/renderers.js';
import { isSelfCheck, selfCheck, wasNothingJudged } from '../reports/summary/verdict-sentences.js';
import { dryRunText } from '../reports/terminal/dry-run-text.js';
import { renderTerminal } from '../reports/terminal/terminal-report.js';
import type { WaiversFile } from '../reports/waivers/read-waivers.js';
import type { VitestReport } from '../reports/vitest/vitest-report.js';
import { ownsStandardOutput } from '../reports/vitest/vitest-options.js';
import { complain, interruption, print } from './run-command.js';
import { nextLine } from './repeated-run.js';
import { runFolder } from './run-folder.js';
import { withService } from './with-service.js';

const { stdout, stderr, env } = process;
const columns = terminalWidth(stdout);
const colour = stdout.isTTY && stdout.hasColors() && !env.NO_COLOR;

export interface Reporting {
  readonly reports: readonly RendererName[];
  readonly waivers: WaiversFile | undefined;
  /** The most days that a waiver may last. */
  readonly longestDays: number | undefined;
  /** What the user typed, and how the command was called: they make the command that is to come next. */
  readonly typed: CommandLine['typed'];
  readonly invocation: string;
}

type RunRequest = ReadOptions<typeof commandLineOptions>;

/** Runs the suite, or prints what a run would send, against the target or the embedded reference service. */
export async function runTarget(
  request: RunRequest,
  chosen: Omit<Settings, 'target'>,
  reporting: Reporting,
): Promise<number> {
  const { values } = request;
  return withTarget(request, async (target) => {
    const settings = { ...chosen, target };
    if (values.dryRun === true) {
      const redact = redactionOfCommandLine([], { PETSTORE_API_KEY: target.apiKey });
      return print(redact(dryRunText(await dryRun(settings), settings, { columns })));
    }
    const signal = interruption('ending the run: its record is being written');
    const directory = runFolder(settings.directory, target.name);
    const judge = async (round: Settings): Promise<Round> => {
      const goOn = round.resume !== undefined;
      const service = { ...round, directory, goOn, start: values.start, wait: values.wait, signal };
      const judged = await withService(service, async () => judgeOnce(request, round, reporting, signal));
      return judged ?? { code: 130 };
    };
    const own = { ...settings, directory };
    if (values.watch === undefined) return (await judge(own)).code;
    const { watchRounds } = await import('./watch-rounds.js');
    const path = values.watch === true ? '.' : values.watch;
    return watchRounds(own, { path, isAgain: reporting.typed['again'] !== undefined, signal, judge });
  });
}

/** One round of a run. Without a record, it could not begin. */
export interface Round {
  readonly code: number;
  readonly record?: RunRecord | undefined;
}

async function judgeOnce(
  { values }: RunRequest,
  settings: Settings,
  reporting: Reporting,
  signal: AbortSignal,
): Promise<Round> {
  const { directory = '' } = settings;
  const { ids } = select({ only: settings.only, except: settings.except, classes: classesOf(settings) });
  // What a reporter prints for a program stands alone.
  const forAgent = values.report?.includes('agent') === true;
  const output = forAgent || ownsStandardOutput(values) ? stderr : stdout;
  const tellVitest = await vitestOf(values, directory);
  if (isSelfCheck(settings)) output.write(`${selfCheck}\n`);
  const progress = values.quiet === true ? undefined : await progressOn({ stream: stderr, settings, ids });
  const listener = values.verbose === true ? withVerdicts(progress, output) : progress;
  try {
    return await withRunFolder(directory, async () => {
      const recorded = await run(settings, { signal, ...(listener ? { listener } : {}) }).finally(() =>
        progress?.end(),
      );
      const own = { ...reporting, tellVitest, forAgent, quiet: values.quiet === true };
      const record = await report(directory, recorded, own, output);
      return { record, code: signal.aborted ? 130 : exitCode(record) };
    });
  } catch (error) {
    if (!(error instanceof RecordLost)) throw error;
    // What was found is printed all the same; there is no file to send a reader to.
    output.write(renderTerminal(error.record, { columns, colour }));
    await complain('petstore-conformance', error.message);
    return { record: error.record, code: signal.aborted ? 130 : exitCode(error.record) || 3 };
  }
}

/** The progress of a run, and a line for each verdict as it is reached. */
function withVerdicts(progress: Progress | undefined, output: NodeJS.WriteStream): Listener {
  return {
    ...progress,
    result(result) {
      progress?.result(result);
      const { id, title, verdict, reason } = result;
      const why = reason === undefined ? '' : ` (${reason})`;
      const line = printable(`${verdict.padEnd(14)} ${id.padEnd(9)} ${title}${why}`);
      output.write(`${logText([line])}\n`);
    },
  };
}

/** What tells Vitest's reporters of the run, if any are wanted: nothing else needs Vitest. */
async function vitestOf(values: RunRequest['values'], directory: string): Promise<VitestReport | undefined> {
  if (values.reporter === undefined && values.outputFile === undefined) return undefined;
  const { vitestReport } = await import('../reports/vitest/vitest-report.js');
  return vitestReport(values, directory);
}

/**
 * Writes and prints what a run leaves behind: its record with the waivers applied, the reports, the manifest of all files.
 * What only this needs is loaded now: it would delay the first request.
 * @throws RecordLost if the disk is full, or the folder is gone.
 */
async function report(
  directory: string,
  recorded: RunRecord,
  {
    reports,
    waivers,
    longestDays,
    typed,
    invocation,
    tellVitest,
    forAgent,
    quiet,
  }: Reporting & { tellVitest: VitestReport | undefined; forAgent: boolean; quiet: boolean },
  output: NodeJS.WriteStream,
): Promise<RunRecord> {
  const [{ applyWaivers }, { withPreviousRun }, { writeReports }, { manifestDigest }, { tellGitHub }] =
    await Promise.all([
      import('../reports/waivers/waiver-outcome.js'),
      import('../reports/compare/previous-run.js'),
      import('../reports/renderers.js'),
      import('../reports/manifest.js'),
      import('../reports/github.js'),
    ]);
  const waived =
    waivers === undefined
      ? recorded
      : applyWaivers(recorded, waivers.waivers, {
          now: new Date(recorded.run.finishedAt),
          longestDays,
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
  await tellVitest?.();
  const file = reports.includes('html') ? undefined : recordFile;
  const digest = await manifestDigest(directory);
  if (forAgent) stdout.write(await readFile(join(directory, agent.file), 'utf8'));
  else output.write(renderTerminal(record, { columns, colour, directory, file, quiet }));
  const print = (text: string): boolean => output.write(`${text}\n`);
  await tellGitHub(record, { environment: env, directory, digest, print }).catch(async (error: unknown) =>
    complain('petstore-conformance', `GITHUB_STEP_SUMMARY or GITHUB_OUTPUT: ${messageOf(error)}`),
  );
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
