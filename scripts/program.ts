import { runCommand } from './run-command.js';

type Main = (argv: readonly string[]) => Promise<number>;

/** Each is loaded if it is called. `npx petstore-conformance report …` is what `npm run report -- …` is in a checkout. */
const commands: Readonly<Record<string, () => Promise<{ main: Main }>>> = {
  init: () => import('./init.js'),
  report: () => import('./report.js'),
  load: () => import('./load.js'),
  explain: () => import('./explain.js'),
  list: () => import('./list.js'),
  reference: () => import('./reference.js'),
};

const [name = '', ...rest] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
await runCommand(
  async (argv) => (await (command ?? (() => import('./conformance.js')))()).main(argv),
  command ? rest : process.argv.slice(2),
);
