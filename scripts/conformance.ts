import { resolve } from 'node:path';
import { helpText } from '../lib/command-line/help.js';
import { didYouMean } from '../lib/usage/nearest-name.js';
import { parseCommandLine, type CommandLine } from '../lib/command-line/parse.js';
import { readRequest, type Request } from '../lib/command-line/settings.js';
import { redactionOfCommandLine, redactionOfProgram } from '../lib/command-line/secrets.js';
import { UsageProblem } from '../lib/usage/usage-problem.js';
import { Interrupted } from '../lib/http/stop.js';
import { run } from '../lib/run/conformance.js';
import { startReference } from '../lib/run/embedded.js';
import { suiteVersion } from '../lib/run/identity.js';
import { progressOn } from '../lib/run/progress.js';
import { freeRunFolder, OutputProblem, RecordLost } from '../lib/record/run-files.js';
import { rehearse } from '../lib/run/rehearsal.js';
import { classesOf, select } from '../lib/run/selection.js';
import type { Settings } from '../lib/run/settings.js';
import { vitestDriver } from '../lib/run/vitest/driver.js';
import { readEnvironment } from '../lib/target/environment.js';
import { exitCode } from '../lib/verdict/exit-code.js';
import { recordFile } from '../reports/finished-run.js';
import { renderRehearsal } from '../reports/rehearsal.js';
import type { RendererName } from '../reports/renderers.js';
import { renderTerminal } from '../reports/terminal.js';
import type { Waiver } from '../reports/waivers/waiver.js';
import { terminalWidth } from '../lib/usage/terminal-width.js';

/** `npm test`, `npx petstore-conformance`: one run, from the command line to the exit code. */

const { stdout, stderr, env } = process;
const columns = terminalWidth(stdout);
const colour = stdout.isTTY && stdout.hasColors() && !env.NO_COLOR;

/** A second Ctrl-C ends the process at once; npm passes the same one on, a moment later. */
const secondInterruptAfter = 750;

async function main(argv: readonly string[]): Promise<number> {
  const line = parseCommandLine(argv);
  if (line.values.help === true) return say(helpText());
  if (line.values.version === true) return say(`${suiteVersion}\n`);
  const request = readRequest(line, readEnvironment(process.cwd(), env), process.cwd());
  const reports = await reportNames(request.reports);
  const waivers = request.waivers === undefined ? undefined : await waiversIn(request.waivers);
  const embedded = request.target === undefined ? await startReference(request.reference) : undefined;
  try {
    const target = request.target ?? embedded?.target;
    if (!target) throw new Error('a run has a target');
    const settings: Settings = { ...request.settings, target };
    if (request.dryRun) {
      const redact = redactionOfCommandLine([], { PETSTORE_API_KEY: target.apiKey });
      return say(redact(renderRehearsal(await rehearse(settings), settings, { columns })));
    }
    return await perform(settings, line, { reports, waivers });
  } finally {
    await embedded?.service.close();
  }
}

function say(text: string): number {
  stdout.write(text);
  return 0;
}

interface Aftercare {
  readonly reports: readonly RendererName[];
  readonly waivers: readonly Waiver[] | undefined;
}

async function perform(
  settings: Settings,
  line: CommandLine,
  { reports, waivers }: Aftercare,
): Promise<number> {
  const signal = interruption();
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

/** Aborted by Ctrl-C. A second one, some time later, ends the process at once. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  let first = 0;
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted && performance.now() - first > secondInterruptAfter) process.exit(130);
      if (controller.signal.aborted) return;
      first = performance.now();
      stderr.write('\nending the run: its record is being written\n');
      controller.abort(new Interrupted());
    });
  }
  return controller.signal;
}

/** @throws UsageProblem where the file can't be read, or a waiver in it is wrong. */
async function waiversIn(file: string): Promise<readonly Waiver[]> {
  const { readWaivers, UnusableWaivers } = await import('../reports/waivers/read-waivers.js');
  return readWaivers(file).catch((error: unknown) => {
    throw error instanceof UnusableWaivers ? new UsageProblem(error.message, { cause: error }) : error;
  });
}

/** @throws UsageProblem that names the nearest report. */
async function reportNames(text: Request['reports']): Promise<RendererName[]> {
  if (text === undefined) return ['html'];
  const { rendererNames } = await import('../reports/renderers.js');
  const asked = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (asked.includes('all')) return [...rendererNames];
  return asked
    .filter((name) => name !== 'none')
    .map((name) => {
      const found = rendererNames.find((known) => known === name);
      if (found) return found;
      throw new UsageProblem(
        `--report: there is no report ${name}.${didYouMean(name, [...rendererNames, 'all', 'none'])}`,
      );
    });
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const known = error instanceof UsageProblem || error instanceof OutputProblem;
  const told = known
    ? error.message
    : `an error of the suite itself: ${error instanceof Error ? error.stack : String(error)}`;
  stderr.write(`petstore-conformance: ${redactionOfProgram(process)(told)}\n`);
  process.exitCode = known ? 2 : 3;
}
