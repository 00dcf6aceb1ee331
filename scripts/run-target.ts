import type { commandLineOptions } from '../lib/options/command-line-options.js';
import type { ReadOptions } from '../lib/options/read-options.js';
import { withTarget } from '../lib/options/run-request.js';
import { redactionOfCommandLine } from '../lib/options/command-redaction.js';
import type { Clock } from '../lib/http/clock/clock.js';
import type { RunRecord } from '../lib/record/record.js';
import { RecordLost, withRunFolder } from '../lib/record/run-files.js';
import { run } from '../lib/run/conformance.js';
import { progressOn, type Progress } from '../lib/run/progress.js';
import { classesOf, select } from '../lib/run/selection.js';
import type { Listener, Settings } from '../lib/run/settings.js';
import { logText, printable } from '../lib/usage/printable.js';
import { terminalWidth } from '../lib/usage/terminal.js';
import { exitCode } from '../lib/verdict/exit-status.js';
import { isSelfCheck, selfCheck } from '../reports/summary/self-check.js';
import { complain, interruption, print } from './run-command.js';
import type { Reporting } from './report-run.js';
import { runFolder } from './run-folder.js';
import { withService } from './with-service.js';

const { stdout, stderr, env } = process;
const columns = terminalWidth(stdout);
const layout = { columns, colour: stdout.isTTY && stdout.hasColors() && !env.NO_COLOR };

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
      const { dryRun } = await import('../lib/run/dry-run.js');
      const { dryRunText } = await import('../reports/terminal/dry-run-text.js');
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
  const forAgent = values.report?.includes('agent') === true;
  // What a program reads stands alone.
  const output = forAgent ? stderr : stdout;
  if (isSelfCheck(settings)) output.write(`${selfCheck}\n`);
  const progress = values.quiet === true ? undefined : await progressOn({ stream: stderr, settings, ids });
  const listener = values.verbose === true ? withVerdicts(progress, output) : progress;
  try {
    return await withRunFolder(directory, async () => {
      const recorded = await run(
        { ...settings, clock: loadingReports(settings.clock) },
        { signal, ...(listener ? { listener } : {}) },
      ).finally(() => progress?.end());
      const { reportRun } = await import('./report-run.js');
      const own = { ...reporting, forAgent, quiet: values.quiet === true, layout };
      const record = await reportRun(directory, recorded, own, output);
      return { record, code: signal.aborted ? 130 : exitCode(record) };
    });
  } catch (error) {
    if (!(error instanceof RecordLost)) throw error;
    // What was found is printed all the same; there is no file to send a reader to.
    const { renderTerminal } = await import('../reports/terminal/terminal-report.js');
    output.write(renderTerminal(error.record, layout));
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

/** A clock that has what reports need loaded while the run waits, if it ever does: it would delay the first request. */
function loadingReports(clock: Clock): Clock {
  return {
    now: () => clock.now(),
    async sleep(milliseconds, signal) {
      const slept = clock.sleep(milliseconds, signal);
      // What can't be loaded fails when it is needed.
      import('./report-run.js').catch(() => undefined);
      await slept;
    },
  };
}
