import { conformanceCommand, commandLineOptions } from '../lib/options/command-line-options.js';
import { redactFromMessages } from '../lib/options/command-redaction.js';
import { invocationOf, readCommandLine } from '../lib/options/command-line.js';
import { checkOptions, listOf, nameIn } from '../lib/options/option.js';
import type { RendererName } from '../reports/renderers.js';
import { complain, print } from './run-command.js';

/**
 * `npm test`, `npx petstore-conformance`: one run, from the command line to the exit code. What a run needs is loaded
 * once the command line is understood: help, and a mistake, are printed at once.
 */
export async function main(argv: readonly string[]): Promise<number> {
  const invocation = invocationOf('test');
  const { typed } = readCommandLine(argv, conformanceCommand(invocation));
  if (typed['version']) return print(`${(await import('../lib/run/suite-name.js')).suiteVersion}\n`);
  const { again } = typed;
  const wanted =
    typeof again === 'string' ? await (await import('./again.js')).repeating(again, typed) : typed;
  const { readOptions, readSources } = await import('../lib/options/read-options.js');
  const { settingsOf } = await import('../lib/options/run-request.js');
  const request = readOptions(invocation, commandLineOptions, wanted, await readSources());
  const { target, values } = request;
  redactFromMessages(target?.apiKey);
  if (target?.production !== undefined && target.readOnly && values.readOnly !== true)
    complain(`${target.production} is only read: --allow-writes lets the run create there`);
  const settings = settingsOf(request);
  const reports = await reportsOf(values.report);
  const waivers =
    values.waivers === undefined
      ? undefined
      : await (await import('../reports/waivers/read-waivers.js')).readWaivers(values.waivers);
  const { runTest } = await import('./test-run.js');
  return runTest({ request, settings, reports, waivers, typed, invocation });
}

/** @throws UsageProblem that names the reports that there are. */
async function reportsOf(names: readonly string[] | undefined): Promise<readonly RendererName[]> {
  if (names === undefined) return ['html'];
  const { rendererNames } = await import('../reports/renderers.js');
  const known = listOf(nameIn([...rendererNames, 'all', 'none'], 'report'));
  checkOptions({ report: known }, { report: names }, () => '--report');
  return names.includes('all') ? rendererNames : rendererNames.filter((name) => names.includes(name));
}
