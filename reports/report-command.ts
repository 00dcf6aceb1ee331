import { checkCommandLine, HelpAsked } from '../lib/options/command-line.js';
import { didYouMean } from '../lib/explain/nearest-name.js';
import { UsageProblem } from '../lib/explain/usage-problem.js';
import type { Surroundings } from './command-form.js';
import { commands } from './report-commands.js';

/**
 * `npm run report`: returns the exit code of the command that is named.
 * @throws UsageProblem, HelpAsked
 */
export async function reportCommand(
  [name, ...rest]: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  if (name === 'help' || name === '--help' || name === '-h')
    throw new HelpAsked(helpText(surroundings.invocation));
  const names = Object.keys(commands);
  if (name === undefined) throw new UsageProblem(`a command is missing: ${names.join(', ')} (see --help)`);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command)
    throw new UsageProblem(
      `unknown command ${name}.${didYouMean(name, names)} There are ${names.join(', ')}`,
    );
  const description = { ...command, name: `${surroundings.invocation} ${name}` };
  const { operands, values } = checkCommandLine(rest, description);
  return command.run(operands, values, surroundings).catch(refuseFile);
}

/** A file or a folder that can't be read or written is the user's to change: Node's message names it. */
function refuseFile(error: unknown): never {
  if (!(error instanceof Error && 'syscall' in error)) throw error;
  throw new UsageProblem(error.message, { cause: error });
}

/** What `--help` prints. */
function helpText(invocation: string): string {
  const parts = Object.entries(commands).map(([name, { operands, summary }]) => {
    const lines = summary.split('\n').map((line) => `      ${line}\n`);
    return `  ${invocation} ${name} ${operands} [options]\n${lines.join('')}`;
  });
  return `Reports of finished runs; nothing is sent. DIR is the folder that a run wrote.

${parts.join('\n')}
  ${invocation} NAME --help shows the options of one.
Exit code 2: the command or a folder is wrong.
`;
}
