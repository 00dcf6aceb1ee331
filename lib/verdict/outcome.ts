import { inspect } from 'node:util';
import type { RequirementResult } from '../evidence/record/record.js';
import { RunStopped } from '../http/client/run-end.js';
import type { RequirementId } from '../specification/catalogue.js';

/** How a probe or a rule ended without a judgement, as a record keeps it. */
export type Ended = NonNullable<RequirementResult['ended']>;

/** Thrown when a probe can't go on, so that no later line mistakes a missing response for one. */
class Outcome extends Error implements Ended {
  constructor(
    readonly verdict: Ended['verdict'],
    readonly reason: string,
    readonly selected = true,
    readonly see?: RequirementId,
  ) {
    super(reason);
  }
}

/** It was tried, and the responses allow no judgement: a positive control was refused, for example. */
export class Inconclusive extends Outcome {
  constructor(reason: string, see?: RequirementId) {
    super('inconclusive', reason, true, see);
  }
}

/** The requirement's condition did not arise. */
export class NotApplicable extends Outcome {
  constructor(reason: string) {
    super('not-applicable', reason);
  }
}

/** This run did not try. @param selected it meant to, and did not get to it */
export class NotTested extends Outcome {
  constructor(reason: string, selected = false) {
    super('not-tested', reason, selected);
  }
}

/** What a preparation came to; undefined if the target, or a read-only run, gives nothing to send. */
export async function ifPossible<Result>(preparation: Promise<Result>): Promise<Result | undefined> {
  return preparation.catch((error: unknown) => {
    if (error instanceof Outcome) return undefined;
    throw error;
  });
}

/** What anything means that was thrown, or that a record keeps of it. */
export function outcomeOf(thrown: unknown): Ended {
  if (typeof thrown === 'object' && thrown !== null && 'verdict' in thrown) return thrown as Ended;
  if (thrown instanceof RunStopped) return new NotTested(thrown.message, true);
  const message = thrown instanceof Error ? thrown.message : inspect(thrown);
  return new Inconclusive(`an error of the suite, please report it: ${message}`);
}
