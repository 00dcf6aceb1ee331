import type { commandLineOptions } from '../lib/options/command-line-options.js';
import { redactionOfCommandLine, redactionOfProgram } from '../lib/options/command-redaction.js';
import { withTarget, type Request } from '../lib/options/run-request.js';
import type { RunRecord } from '../lib/evidence/record/record.js';
import { RecordLost, withRunFolder } from '../lib/evidence/record/run-files.js';
import { run } from '../lib/run/conformance.js';
import { progressOn } from '../lib/run/progress.js';
import { selectionOf } from '../lib/run/selection.js';
import type { Settings } from '../lib/run/settings.js';
import { withService } from '../lib/options/with-service.js';
import { terminalWidth } from '../lib/explain/terminal.js';
import type { OptionValues } from '../lib/options/option.js';
import { exitCode } from '../lib/verdict/exit-status.js';
import { isSelfCheck, selfCheck } from '../reports/summary/self-check.js';
import { complain, interruption, print } from './run-command.js';
import type { Reporting } from './report-run.js';
import { runFolder } from './run-folder.js';

const { stdout, stderr, env } = process;
const columns = terminalWidth(stdout);
const layout = { columns, colour: stdout.isTTY && stdout.hasColors() && !env.NO_COLOR };

type RunRequest = Request<OptionValues<typeof commandLineOptions>>;

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
      const { start, wait } = values;
      const service = {
        ...round,
        directory,
        goOn,
        start,
        wait,
        signal,
        redact: redactionOfProgram(process).received,
        complain,
      };
      return withService(service, async () => judgeOnce(request, round, reporting, signal));
    };
    const own = { ...settings, directory };
    if (values.watch === undefined) return (await judge(own)).code;
    const { watchRounds } = await import('./watch-rounds.js');
    return watchRounds(own, {
      path: values.watch,
      isAgain: reporting.typed['again'] !== undefined,
      signal,
      judge,
    });
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
  const { ids } = selectionOf(settings);
  const forAgent = values.report?.includes('agent') === true;
  // What a program reads stands alone.
  const output = forAgent ? stderr : stdout;
  if (isSelfCheck(settings)) output.write(`${selfCheck}\n`);
  // GitHub is told by an annotation, as of all else.
  if (isSelfCheck(settings) && env['CI'] && !env['GITHUB_ACTIONS'] && reporting.typed['target'] === undefined)
    stderr.write(
      `${env['TF_BUILD'] ? '##vso[task.logissue type=warning]' : 'WARNING: '}No target was given. ${selfCheck}\n`,
    );
  const listener = await progressOn({ stream: stderr, settings, ids });
  try {
    return await withRunFolder(directory, async () => {
      const recorded = await run(settings, { signal, listener }).finally(() => listener.end());
      const { reportRun } = await import('./report-run.js');
      const own = { ...reporting, forAgent, layout };
      const record = await reportRun(directory, recorded, own, output);
      return { record, code: signal.aborted ? 130 : exitCode(record) };
    });
  } catch (error) {
    if (!(error instanceof RecordLost)) throw error;
    // What was found is printed all the same; there is no file to send a reader to.
    const { renderTerminal } = await import('../reports/terminal/terminal-report.js');
    output.write(renderTerminal(error.record, layout));
    complain(error.message);
    return { record: error.record, code: signal.aborted ? 130 : exitCode(error.record) || 3 };
  }
}
