/** A mistake in how the program was called or configured: one line that says what to do. Exit code 2, nothing sent. */
export class UsageProblem extends Error {
  override readonly name = 'UsageProblem';
}

/** What may be wrong, and the line that says so. */
export type Problem = readonly [isProblem: boolean, problem: string];

/** @throws UsageProblem for the first of them that is wrong. */
export function refuse(...problems: readonly Problem[]): void {
  for (const [isProblem, problem] of problems) if (isProblem) throw new UsageProblem(problem);
}
