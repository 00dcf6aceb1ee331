import type { commandLineOptions } from '../lib/options/command-line-options.js';
import type { ReadOptions } from '../lib/options/read-options.js';
import { withTarget } from '../lib/options/run-request.js';
import { redactionOfCommandLine } from '../lib/options/secrets.js';
import { RecordLost } from '../lib/record/run-files.js';
import { run } from '../lib/run/conformance.js';
import { dryRun } from '../lib/run/dry-run.js';
import { progressOn } from '../lib/run/progress.js';
import { classesOf, select } from '../lib/run/selection.js';
import type { Settings } from '../lib/run/settings.js';
import { vitestDriver } from '../lib/run/vitest/driver.js';
import { terminalWidth } from '../lib/usage/terminal-width.js';
import { exitCode } from '../lib/verdict/exit-code.js';
import { recordFile } from '../reports/finished-run.js';
import type { RendererName } from '../reports/renderers.js';
import { dryRunText } from '../reports/terminal/dry-run-text.js';
import { renderTerminal } from '../reports/terminal/terminal-report.js';
import type { Waiver } from '../reports/waivers/waiver.js';
import { interruption } from './interruption.js';
import { complain } from './run-command.js';
import { runFolder } from './run-folder.js';

const { stdout, stderr, env } = process;
const columns = terminalWidth(stdout);
const colour = stdout.isTTY && stdout.hasColors() && !env.NO_COLOR;

export interface Reporting {
  readonly reports: readonly RendererName[];
  readonly waivers: readonly Waiver[] | undefined;
}

type AskedRun = ReadOptions<typeof commandLineOptions>;

/** Runs the suite, or prints what a run would send, against the target or the embedded reference service. */
export async function runTarget(
  asked: AskedRun,
  settings: Omit<Settings, 'target'>,
  reporting: Reporting,
): Promise<number> {
  return withTarget(asked, async (target) => {
    if (asked.values.dryRun !== true) return judge(asked, { ...settings, target }, reporting);
    const redact = redactionOfCommandLine([], { PETSTORE_API_KEY: target.apiKey });
    const planned = await dryRun({ ...settings, target });
    stdout.write(redact(dryRunText(planned, { ...settings, target }, { columns })));
    return 0;
  });
}

async function judge({ values }: AskedRun, settings: Settings, reporting: Reporting): Promise<number> {
  const signal = interruption('the run');
  const { ids } = select({ only: settings.only, except: settings.except, classes: classesOf(settings) });
  const progress = progressOn({ stream: stderr, total: ids.size, now: () => settings.clock.now() });
  const driver = vitestDriver({ options: values, strict: settings.strict, signal });
  const directory = runFolder(settings.directory, settings.target.name);
  try {
    const recorded = await run({ ...settings, directory }, { signal, listener: progress, driver }).finally(
      () => progress.end(),
    );
    const { finishRun, tellGitHub } = await import('./finish-run.js');
    const record = await finishRun(directory, recorded, reporting);
    const file = reporting.reports.includes('html') ? undefined : recordFile;
    stdout.write(renderTerminal(record, { columns, colour, directory, file }));
    await tellGitHub(record, { environment: env, print: (text) => stdout.write(`${text}\n`) });
    return signal.aborted ? 130 : exitCode(record);
  } catch (error) {
    if (!(error instanceof RecordLost)) throw error;
    // What was found is printed all the same; there is no file to send a reader to.
    stdout.write(renderTerminal(error.record, { columns, colour }));
    await complain('petstore-conformance', error.message);
    return signal.aborted ? 130 : exitCode(error.record) || 3;
  }
}
