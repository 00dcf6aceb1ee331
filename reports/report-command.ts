import { UnreadableRun } from './finished-run.js';
import { printable } from './text/printable.js';
import { parseCommand } from './command/parse.js';
import { perform, type Surroundings } from './command/perform.js';
import { UsageProblem } from './command/usage.js';

/**
 * `npm run report`: parses, performs, and turns what the user can put right into one line. Gives the exit code; 2 where
 * the command or a folder is wrong.
 */
export async function reportCommand(
  argv: readonly string[],
  surroundings: Surroundings & { readonly complain: (line: string) => void },
): Promise<number> {
  try {
    return await perform(parseCommand(argv), surroundings);
  } catch (error) {
    if (!(error instanceof UsageProblem) && !(error instanceof UnreadableRun)) throw error;
    surroundings.complain(printable(error.message));
    return 2;
  }
}
