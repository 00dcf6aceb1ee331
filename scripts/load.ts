import { systemClock } from '../lib/http/clock/clock.js';
import { redactFromMessages } from '../lib/options/command-redaction.js';
import { readOptions, readSources } from '../lib/options/read-options.js';
import { withTarget } from '../lib/options/run-request.js';
import { loadHelp, loadOptions, loadPlan } from '../lib/options/load-options.js';
import { invocationOf, readCommandLine } from '../lib/options/command-line.js';
import { print, runCommand } from './run-command.js';

/** `npm run load`: a steady load under the plan's limit, and whether what came back kept its bounds. */
const invocation = invocationOf('load', process.argv);

async function main(argv: readonly string[]): Promise<number> {
  if (argv[0] === 'merge') {
    const { mergeLoad } = await import('./load-merge.js');
    return mergeLoad(argv.slice(1));
  }
  const { typed } = readCommandLine(argv, loadOptions);
  if (typed['help']) return print(loadHelp(invocation));
  const request = readOptions(invocation, loadOptions, typed, await readSources());
  redactFromMessages(request.target?.apiKey);
  return withTarget(request, async (target) => {
    const plan = loadPlan(request.values, target, systemClock.now());
    const { showLoad } = await import('./load-run.js');
    return showLoad({ ...request, target, plan });
  });
}

await runCommand('petstore-load', main);
