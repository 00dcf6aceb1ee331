import { OutputProblem } from '../lib/record/run-files.js';
import { UsageProblem } from '../lib/usage/usage-problem.js';

/**
 * Runs a command; its result is the exit code. A mistake of the user's is one line without keys, and exit code 2.
 * @param name What the line begins with.
 */
export async function runCommand(
  name: string,
  main: (argv: readonly string[]) => Promise<number>,
): Promise<void> {
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    const isMistake = error instanceof UsageProblem || error instanceof OutputProblem;
    const crash = error instanceof Error ? error.stack : String(error);
    await complain(name, isMistake ? error.message : `an error of the suite itself: ${crash}`);
    process.exitCode = isMistake ? 2 : 3;
  }
}

/** Prints a text; gives the exit code of a command that does nothing else. */
export function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

/** Prints a line on stderr, without the keys of the command line and the environment. */
export async function complain(name: string, message: string): Promise<void> {
  const { redactionOfProgram } = await import('../lib/options/secrets.js');
  process.stderr.write(`${name}: ${redactionOfProgram(process)(message)}\n`);
}
