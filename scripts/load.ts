import { readOptions } from '../lib/options/read-options.js';
import { withTarget } from '../lib/options/run-request.js';
import { loadHelp, loadOptions, loadPlan } from '../lib/sustained/load-options.js';
import { readEnvironment } from '../lib/target/environment.js';
import { commandOf, readCommandLine } from '../lib/usage/command-line.js';
import { invocationOf } from '../lib/usage/invocation.js';
import { runCommand } from './run-command.js';

/** `npm run load`: a steady load under the plan's limit, and whether what came back kept its bounds. */
const invocation = invocationOf('load', process.argv);

async function main(argv: readonly string[]): Promise<number> {
  const line = readCommandLine(argv, loadOptions);
  if (line.typed['help']) {
    process.stdout.write(loadHelp(invocation));
    return 0;
  }
  const environment = readEnvironment(process.cwd(), process.env);
  const asked = readOptions(loadOptions, line, environment);
  const command = commandOf(invocation, loadOptions, line.typed);
  return withTarget(asked, async (target) => {
    const plan = loadPlan(asked.values, target);
    const { showLoad } = await import('./load-run.js');
    return showLoad({ target, plan, values: asked.values, command, environment: environment.values });
  });
}

await runCommand('petstore-load', main);
