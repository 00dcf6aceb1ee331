import { readCommandLine, valuesTyped } from '../lib/options/command-line.js';
import { didYouMean } from '../lib/explain/nearest-name.js';
import { checkOptions } from '../lib/options/options-schema.js';
import { printable } from '../lib/explain/printable.js';
import { UsageProblem } from '../lib/explain/usage-problem.js';
import { UnreadableRun } from './finished-run.js';
import { allOptions, commands, reportLines, type Surroundings, type Values } from './report-commands.js';
import { count } from './text/quantity.js';

/**
 * `npm run report`: parses, runs, and turns what the user can put right into one line. Returns the exit code; 2 if the
 * command or a folder is wrong.
 */
export async function reportCommand(
  argv: readonly string[],
  surroundings: Surroundings & { readonly complain: (line: string) => void },
): Promise<number> {
  try {
    return await runCommand(argv, surroundings);
  } catch (error) {
    if (!(error instanceof UsageProblem) && !(error instanceof UnreadableRun)) throw error;
    surroundings.complain(printable(error.message));
    return 2;
  }
}

async function runCommand(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const name = argv.find((argument) => !argument.startsWith('-')) ?? '';
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const taken = ['help', ...(command?.options ?? [])] as const;
  const options = Object.fromEntries(taken.map((each) => [each, allOptions[each]]));
  const names = Object.keys(commands);
  if (!command && name !== '' && name !== 'help')
    throw new UsageProblem(`unknown command ${name}.${didYouMean(name, names)}`);
  const { typed, operands } = readCommandLine(argv, options, { operands: true });
  if (typed['help'] || name === 'help') {
    surroundings.print(helpText(surroundings.invocation));
    return 0;
  }
  if (!command) throw new UsageProblem(`a command is missing: ${names.join(', ')} (see --help)`);
  const values: Values = checkOptions(options, valuesTyped(options, typed), ([option = '']) => `--${option}`);
  const [, ...folders] = operands;
  const [least, most] = command.folders;
  if (folders.length < least || folders.length > most)
    throw new UsageProblem(`usage: ${name} ${command.usage}; got ${count(folders.length, 'folder')}`);
  return command.run(folders, values, surroundings);
}

/** What `--help` prints. */
function helpText(invocation: string): string {
  const parts = Object.entries(commands).map(([name, { usage, help }]) => [
    `  ${invocation} ${name} ${usage}`,
    ...help.map((line) => `      ${line}`),
    ...(name === 'render' ? reportLines() : []),
    '',
  ]);
  return [
    'Reports of finished runs; nothing is sent. DIR is the folder that a run wrote.',
    '',
    ...parts.flat(),
    'Exit code 2: the command or a folder is wrong.',
    '',
  ].join('\n');
}
