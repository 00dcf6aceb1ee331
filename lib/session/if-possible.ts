import { Inconclusive, NotTested } from '../verdict/outcome.js';

/** What a preparation came to; undefined if the target, or a read-only run, gives nothing to send. */
export async function ifPossible<Result>(preparation: Promise<Result>): Promise<Result | undefined> {
  try {
    return await preparation;
  } catch (error) {
    if (error instanceof NotTested || error instanceof Inconclusive) return undefined;
    throw error;
  }
}
