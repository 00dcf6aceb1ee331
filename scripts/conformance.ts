import { helpText } from '../lib/command-line/help.js';
import { didYouMean } from '../lib/usage/nearest-name.js';
import { parseCommandLine } from '../lib/command-line/parse.js';
import { readRequest, type Request } from '../lib/command-line/settings.js';
import { redactionOfProgram } from '../lib/command-line/secrets.js';
import { UsageProblem } from '../lib/usage/usage-problem.js';
import { OutputProblem } from '../lib/record/run-files.js';
import { readEnvironment } from '../lib/target/environment.js';
import type { RendererName } from '../reports/renderers.js';
import type { Waiver } from '../reports/waivers/waiver.js';

/**
 * `npm test`, `npx petstore-conformance`: one run, from the command line to the exit code. What a run needs is loaded when
 * the command line has been understood: help, and a mistake, are told at once.
 */

const { stdout, stderr, env } = process;

async function main(argv: readonly string[]): Promise<number> {
  const line = parseCommandLine(argv);
  if (line.values.help === true) return say(helpText());
  if (line.values.version === true) {
    const { suiteVersion } = await import('../lib/run/identity.js');
    return say(`${suiteVersion}\n`);
  }
  const request = readRequest(line, readEnvironment(process.cwd(), env), process.cwd());
  const reports = await reportNames(request.reports);
  const waivers = request.waivers === undefined ? undefined : await waiversIn(request.waivers);
  const { performOrDryRun } = await import('./perform.js');
  return performOrDryRun(request, line, { reports, waivers });
}

function say(text: string): number {
  stdout.write(text);
  return 0;
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
