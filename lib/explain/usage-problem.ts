/** A mistake in how the program was called or configured: one line that says what to do. Exit code 2, nothing sent. */
export class UsageProblem extends Error {
  override readonly name = 'UsageProblem';
}
