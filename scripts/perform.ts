import { resolve } from 'node:path';
import type { CommandLine } from '../lib/command-line/parse.js';
import { redactionOfCommandLine, redactionOfProgram } from '../lib/command-line/secrets.js';
import type { Request } from '../lib/command-line/settings.js';
import { freeRunFolder, RecordLost } from '../lib/record/run-files.js';
import { run } from '../lib/run/conformance.js';
import { startReference } from '../lib/run/embedded.js';
import { progressOn } from '../lib/run/progress.js';
import { dryRun } from '../lib/run/dry-run.js';
import { classesOf, select } from '../lib/run/selection.js';
import type { Settings } from '../lib/run/settings.js';
import { vitestDriver } from '../lib/run/vitest/driver.js';
import { terminalWidth } from '../lib/usage/terminal-width.js';
import { exitCode } from '../lib/verdict/exit-code.js';
import { recordFile } from '../reports/finished-run.js';
import { dryRunText } from '../reports/terminal/dry-run-text.js';
import type { RendererName } from '../reports/renderers.js';
import { renderTerminal } from '../reports/terminal/terminal-report.js';
import type { Waiver } from '../reports/waivers/waiver.js';
import { interruption } from './interruption.js';

const { stdout, stderr, env } = process;
const columns = terminalWidth(stdout);
const colour = stdout.isTTY && stdout.hasColors() && !env.NO_COLOR;

export interface Aftercare {
  readonly reports: readonly RendererName[];
  readonly waivers: readonly Waiver[] | undefined;
}

/** Performs a run, or with `--dry-run` says what it would ask, against its target or the embedded reference service. */
export async function performOrDryRun(
  request: Request,
  line: CommandLine,
  aftercare: Aftercare,
): Promise<number> {
  const embedded = request.target === undefined ? await startReference(request.reference) : undefined;
  try {
    const target = request.target ?? embedded?.target;
    if (!target) throw new Error('a run has a target');
    const settings: Settings = { ...request.settings, target };
    if (!request.dryRun) return await perform(settings, line, aftercare);
    const redact = redactionOfCommandLine([], { PETSTORE_API_KEY: target.apiKey });
    stdout.write(redact(dryRunText(await dryRun(settings), settings, { columns })));
    return 0;
  } finally {
    await embedded?.service.close();
  }
}

async function perform(
  settings: Settings,
  line: CommandLine,
  { reports, waivers }: Aftercare,
): Promise<number> {
  const signal = interruption('the run');
  const { ids } = select({ only: settings.only, except: settings.except, classes: classesOf(settings) });
  const progress = progressOn({ stream: stderr, total: ids.size, now: () => settings.clock.now() });
  const driver = vitestDriver({ argv: line.vitest, strict: settings.strict, signal });
  const named = settings.directory ?? resolve('.');
  const given = (line.values.output ?? line.values.resume) !== undefined;
  const directory = given ? named : freeRunFolder(named);
  try {
    const recorded = await run({ ...settings, directory }, { signal, listener: progress, driver }).finally(
      () => progress.end(),
    );
    const { conclude, tellGitHub } = await import('./conclude.js');
    const record = await conclude(directory, recorded, { reports, waivers });
    const file = reports.includes('html') ? undefined : recordFile;
    stdout.write(renderTerminal(record, { columns, colour, directory, file }));
    await tellGitHub(record, { environment: env, print: (text) => stdout.write(`${text}\n`) });
    return signal.aborted ? 130 : exitCode(record);
  } catch (error) {
    if (!(error instanceof RecordLost)) throw error;
    // What was found is told all the same; there is no file to send a reader to.
    stdout.write(renderTerminal(error.record, { columns, colour }));
    stderr.write(`petstore-conformance: ${redactionOfProgram(process)(error.message)}\n`);
    return signal.aborted ? 130 : exitCode(error.record) || 3;
  }
}
