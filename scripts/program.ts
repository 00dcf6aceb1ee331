import { invocationOf } from '../lib/options/command-line.js';
import { layout, print, runCommand } from './run-command.js';

type Main = (argv: readonly string[]) => Promise<number>;

/** Each is loaded if it is called. `npx petstore-conformance report …` is what `npm run report -- …` is in a checkout. */
const commands: Readonly<Record<string, () => Promise<Main>>> = {
  init: async () => (await import('./init.js')).main,
  report: async () => {
    const { reportCommand } = await import('../reports/report-command.js');
    return async (argv) => reportCommand(argv, { ...layout, print, invocation: invocationOf('report') });
  },
  load: async () => (await import('./load.js')).main,
  reference: async () => (await import('./reference.js')).main,
  explain: async () => {
    const { explainText } = await import('../lib/explain/explain-command.js');
    return async (argv) => print(explainText(argv, invocationOf('explain')));
  },
  list: async () => {
    const { listText } = await import('../lib/explain/explain-command.js');
    return async (argv) => print(listText(argv, invocationOf('list')));
  },
};

const [name = '', ...rest] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
void runCommand(
  async (argv) => {
    const main = command ? await command() : (await import('./test.js')).main;
    return main(argv);
  },
  command ? rest : process.argv.slice(2),
);
