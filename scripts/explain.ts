import { explainText } from '../lib/explain/explain-command.js';
import { invocationOf } from '../lib/options/command-line.js';
import { print, runCommand } from './run-command.js';

/** `npm run explain -- ID`: what a requirement means, and how to meet it. */
await runCommand('explain', async (argv) => print(explainText(argv, invocationOf('explain', process.argv))));
