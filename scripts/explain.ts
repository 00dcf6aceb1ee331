import { explainText } from '../lib/explain/explain-command.js';
import { invocationOf } from '../lib/options/command-line.js';
import { print } from './run-command.js';

/** `explain ID…`: what a requirement means, and how to meet it. */
export const main = async (argv: readonly string[]): Promise<number> =>
  print(explainText(argv, invocationOf('explain')));
