import { conformanceCommand } from '../lib/options/command-line-options.js';
import { invocationOf, readCommandLine } from '../lib/options/command-line.js';
import { print } from './run-command.js';

/**
 * `npm test`, `npx petstore-conformance`. What a run needs is loaded once the command line is understood: help, and an
 * unknown option, are printed at once.
 */
export async function main(argv: readonly string[]): Promise<number> {
  const invocation = invocationOf('test');
  const { typed } = readCommandLine(argv, conformanceCommand(invocation));
  if (typed['version']) return print(`${(await import('../lib/run/suite-name.js')).suiteVersion}\n`);
  return (await import('./test-run.js')).testRun(typed, invocation);
}
