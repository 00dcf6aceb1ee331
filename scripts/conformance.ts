import { commandLineOptions, helpText } from '../lib/options/command-line-options.js';
import { redactFromMessages } from '../lib/options/command-redaction.js';
import { readOptions } from '../lib/options/read-options.js';
import { settingsOf } from '../lib/options/run-request.js';
import { readEnvironment } from '../lib/target/environment.js';
import { readCommandLine } from '../lib/usage/command-line.js';
import { checkOptions, listOf, nameIn } from '../lib/usage/options-schema.js';
import type { RendererName } from '../reports/renderers.js';
import { print, runCommand } from './run-command.js';

/**
 * `npm test`, `npx petstore-conformance`: one run, from the command line to the exit code. What a run needs is loaded
 * once the command line is understood: help, and a mistake, are printed at once.
 */
async function main(argv: readonly string[]): Promise<number> {
  const { typed } = readCommandLine(argv, commandLineOptions);
  if (typed['help']) return print(helpText());
  if (typed['version']) return print(`${(await import('../lib/run/suite-name.js')).suiteVersion}\n`);
  const environment = readEnvironment(process.cwd(), process.env);
  const request = readOptions('petstore-conformance', commandLineOptions, argv, environment);
  redactFromMessages(request.target?.apiKey);
  const settings = settingsOf(request);
  const reports = await reportsOf(request.values.report);
  const file = request.values.waivers;
  const waivers =
    file === undefined
      ? undefined
      : await (await import('../reports/waivers/read-waivers.js')).readWaivers(file);
  const { runTarget } = await import('./run-target.js');
  const longestDays = request.values.maxWaiverDays;
  return runTarget(request, settings, { reports, waivers, longestDays });
}

/** @throws UsageProblem that names the nearest report. */
async function reportsOf(names: readonly string[] = ['html']): Promise<readonly RendererName[]> {
  const { rendererNames } = await import('../reports/renderers.js');
  const known = listOf(nameIn([...rendererNames, 'all', 'none'], 'report'));
  checkOptions({ report: known }, { report: names }, () => '--report');
  return names.includes('all') ? rendererNames : rendererNames.filter((name) => names.includes(name));
}

await runCommand('petstore-conformance', main);
