import { listText } from '../lib/explain/explain-command.js';
import { invocationOf } from '../lib/options/command-line.js';
import { print, runCommand } from './run-command.js';

/** `npm run list`: the requirements that the suite judges. */
await runCommand('list', async (argv) => print(listText(argv, invocationOf('list', process.argv))));
