import { systemClock } from '../lib/http/clock/clock.js';
import { invocationOf, readCommandLine } from '../lib/options/command-line.js';
import { redactFromMessages } from '../lib/options/command-redaction.js';
import { loadCommand, loadOptions, loadPlan } from '../lib/options/load-options.js';
import { readOptions, readSources } from '../lib/options/read-options.js';
import { withTarget } from '../lib/options/run-request.js';

/** `load`: a steady load under the plan's limit, and whether what came back kept its bounds. */
export async function main(argv: readonly string[]): Promise<number> {
  if (argv[0] === 'merge') return (await import('./load-merge.js')).mergeLoad(argv.slice(1));
  const invocation = invocationOf('load');
  const { typed } = readCommandLine(argv, loadCommand(invocation));
  const request = readOptions(invocation, loadOptions, typed, await readSources());
  redactFromMessages(request.target?.apiKey);
  return withTarget(request, async (target) => {
    const plan = loadPlan(request.values, target, systemClock.now());
    const { showLoad } = await import('./load-run.js');
    return showLoad({ ...request, target, plan });
  });
}
