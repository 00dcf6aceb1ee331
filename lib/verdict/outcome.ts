import { inspect } from 'node:util';
import { BudgetSpent, Interrupted, RunStopped } from '../http/client/run-end.js';
import type { RequirementId } from '../specification/catalogue.js';

/**
 * How a probe or a rule ends without a judgement, with the reason that the report gives. It is thrown when the probe can't
 * go on, so that no later line mistakes a missing response for one.
 */
export class Outcome extends Error {
  /**
   * @param selected false if the user left the requirement out or did not give what it needs, or if the profile has no
   * room for it; true if the run meant to try and did not get to it
   * @param see the requirement that judges what kept this one from being judged
   */
  constructor(
    readonly verdict: 'inconclusive' | 'not-applicable' | 'not-tested',
    readonly reason: string,
    readonly selected = true,
    readonly see?: RequirementId,
  ) {
    super(see === undefined ? reason : `${reason} (see ${see})`);
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

/** This run did not try. */
export class NotTested extends Outcome {
  constructor(reason: string, selected = false) {
    super('not-tested', reason, selected);
  }
}

/** What anything that was thrown means. */
export function outcomeOf(thrown: unknown): Outcome {
  if (thrown instanceof Outcome) return thrown;
  if (thrown instanceof BudgetSpent || thrown instanceof RunStopped || thrown instanceof Interrupted)
    return new NotTested(thrown.message, true);
  const message = thrown instanceof Error ? thrown.message : inspect(thrown);
  return new Inconclusive(`an error of the suite, please report it: ${message}`);
}
