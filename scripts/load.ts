import { redactFromMessages } from '../lib/options/command-redaction.js';
import { readOptions } from '../lib/options/read-options.js';
import { withTarget } from '../lib/options/run-request.js';
import { loadHelp, loadOptions, loadPlan } from '../lib/sustained/load-options.js';
import { readEnvironment } from '../lib/target/environment.js';
import { invocationOf, readCommandLine } from '../lib/usage/command-line.js';
import { print, runCommand } from './run-command.js';

/** `npm run load`: a steady load under the plan's limit, and whether what came back kept its bounds. */
const invocation = invocationOf('load', process.argv);

async function main(argv: readonly string[]): Promise<number> {
  if (readCommandLine(argv, loadOptions).typed['help']) return print(loadHelp(invocation));
  const environment = readEnvironment(process.cwd(), process.env);
  const request = readOptions(invocation, loadOptions, argv, environment);
  redactFromMessages(request.target?.apiKey);
  return withTarget(request, async (target) => {
    const plan = loadPlan(request.values, target);
    const { showLoad } = await import('./load-run.js');
    return showLoad({ ...request, target, plan });
  });
}

await runCommand('petstore-load', main);
