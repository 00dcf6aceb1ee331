import { conformanceCommand } from '../lib/options/command-line-options.js';
import { invocationOf, readCommandLine } from '../lib/options/command-line.js';
import { runCommand } from './run-command.js';

/** `--help` alone: the program is large, and would take three times as long to load. */
await runCommand(
  async (argv) => {
    readCommandLine(argv, conformanceCommand(invocationOf('test')));
    return 0;
  },
  ['--help'],
);
