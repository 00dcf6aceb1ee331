import type { commandLineOptions } from '../lib/options/command-line-options.js';
import { redactionOfProgram } from '../lib/options/command-redaction.js';
import { withTarget, type Request } from '../lib/options/run-request.js';
import { run } from '../lib/run/conformance.js';
import { progressOn } from '../lib/run/progress.js';
import { selectionOf } from '../lib/run/selection.js';
import type { Settings } from '../lib/run/settings.js';
import { withService } from '../lib/options/with-service.js';
import type { OptionValues, Typed } from '../lib/options/option.js';
import { exitCode } from '../lib/verdict/exit-status.js';
import type { RendererName } from '../reports/renderers.js';
import { isSelfCheck, selfCheck } from '../reports/summary/verdict-sentences.js';
import type { WaiversFile } from '../reports/waivers/read-waivers.js';
import { complain, interruption, layout, print, runFolder } from './run-command.js';
import type { Round } from './watch.js';

/** What `npm test` has to do. */
export interface TestCommand {
  readonly request: Request<OptionValues<typeof commandLineOptions>>;
  readonly settings: Omit<Settings, 'target'>;
  readonly reports: readonly RendererName[];
  readonly waivers: WaiversFile | undefined;
  /** What the user typed, and how the command was called: they make the command that is to come next. */
  readonly typed: Typed;
  readonly invocation: string;
}

/** Runs the suite, or prints what a run would send, against the target or the embedded reference service. */
export async function runTest(command: TestCommand): Promise<number> {
  const { values } = command.request;
  const { start, wait } = values;
  return withTarget(command.request, async (target) => {
    const settings = { ...command.settings, target };
    if (values.dryRun === true) {
      const { dryRun } = await import('../lib/run/dry-run.js');
      const { dryRunText } = await import('../reports/terminal/dry-run-text.js');
      return print(redactionOfProgram(process)(dryRunText(await dryRun(settings), settings, layout)));
    }
    const signal = interruption('ending the run: its record is being written');
    const directory = runFolder(settings.directory, target.name);
    const redact = redactionOfProgram(process).received;
    const judge = async (round: Settings): Promise<Round> => {
      const service = { ...round, directory, start, wait, signal, redact, complain };
      return withService(service, async () => judgeOnce(command, round, directory, signal));
    };
    const whole = { ...settings, directory };
    if (values.watch === undefined) return (await judge(whole)).code;
    const { watchRounds } = await import('./watch.js');
    const isAgain = command.typed['again'] !== undefined;
    return watchRounds(whole, { path: values.watch, isAgain, signal, judge });
  });
}

async function judgeOnce(
  command: TestCommand,
  settings: Settings,
  directory: string,
  signal: AbortSignal,
): Promise<Round> {
  const { stdout, stderr, env } = process;
  const { size: total } = selectionOf(settings).ids;
  if (isSelfCheck(settings)) stdout.write(`${selfCheck}\n`);
  // GitHub is told by an annotation, as of all else.
  if (isSelfCheck(settings) && env['CI'] && !env['GITHUB_ACTIONS'] && command.typed['target'] === undefined)
    stderr.write(
      `${env['TF_BUILD'] ? '##vso[task.logissue type=warning]' : 'WARNING: '}No target was given. ${selfCheck}\n`,
    );
  const listener = await progressOn({ stream: stderr, clock: settings.clock, total });
  const recorded = await run(settings, { signal, listener }).finally(() => listener.end());
  const { tellRun } = await import('./tell-run.js');
  const record = await tellRun(command, directory, recorded);
  return { record, code: signal.aborted ? 130 : exitCode(record) };
}
