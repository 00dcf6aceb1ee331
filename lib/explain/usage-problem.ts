import { readFileSync } from 'node:fs';

/** A mistake in how the program was called or configured: one line that says what to do. Exit code 2, nothing sent. */
export class UsageProblem extends Error {
  override readonly name = 'UsageProblem';
}

/** @param problems each `isWrong && 'the line that says so'` @throws UsageProblem for the first that is there */
export function refuse(...problems: ReadonlyArray<string | false>): void {
  for (const problem of problems) if (problem !== false) throw new UsageProblem(problem);
}

/** What the system calls an error, `ENOENT`; `unknown error` if it does not say. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}

/** What a file of the user's holds. @param named how a message calls it @throws UsageProblem if it can't be read */
export function textIn(file: string, named = file): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageProblem(`${named} can't be read (${errorCode(error)})`, { cause: error });
  }
}
