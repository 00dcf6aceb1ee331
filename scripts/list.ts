import { listText } from '../lib/explain/explain-command.js';
import { invocationOf } from '../lib/options/command-line.js';
import { print } from './run-command.js';

/** `list [ID…]`: the requirements that the suite judges. */
export const main = async (argv: readonly string[]): Promise<number> =>
  print(listText(argv, invocationOf('list')));
