import { readCommandLine } from '../lib/options/command-line.js';
import { layout, print, runCommand } from './run-command.js';

type Main = (argv: readonly string[]) => Promise<number>;

/**
 * `npm test`, `npx petstore-conformance`. What a run needs is loaded once the command line is understood: help, and an
 * unknown option, are printed at once.
 */
const test: Main = async (argv) => {
  const { conformanceCommand } = await import('../lib/options/run-options.js');
  const { typed } = readCommandLine(argv, conformanceCommand);
  if (typed['version']) return print((await import('../lib/run/suite-name.js')).suiteVersion);
  return (await import('./test-run.js')).testRun(typed);
};

/** Each is loaded if it is called. `npx petstore-conformance report …` is what `npm run report -- …` is in a checkout. */
const commands: Readonly<Record<string, Main>> = {
  init: async (argv) => (await import('./init.js')).main(argv),
  report: async (argv) =>
    (await import('../reports/report-command.js')).reportCommand(argv, { ...layout, print }),
  load: async (argv) => (await import('./load.js')).main(argv),
  reference: async (argv) => (await import('./reference.js')).main(argv),
  explain: async (argv) => print((await import('../lib/explain/explain-command.js')).explainText(argv)),
  list: async (argv) => print((await import('../lib/explain/explain-command.js')).listText(argv)),
};

const [name = '', ...rest] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
void runCommand(command ?? test, command ? rest : process.argv.slice(2));
