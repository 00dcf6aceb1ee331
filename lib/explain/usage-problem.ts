/** A mistake in how the program was called or configured: one line that says what to do. Exit code 2, nothing sent. */
export class UsageProblem extends Error {
  override readonly name = 'UsageProblem';
}

/** What may be wrong, and the line that says so. @throws UsageProblem for the first that is wrong. */
export function refuse(...problems: ReadonlyArray<readonly [isProblem: boolean, problem: string]>): void {
  for (const [isProblem, problem] of problems) if (isProblem) throw new UsageProblem(problem);
}
