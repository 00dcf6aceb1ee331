/**
 * Why a request was not sent, or has no response. Each carries a sentence for the report. Probes let them pass; the
 * engine turns them into a verdict with a reason.
 */

/** The run ends: the target is lost, or asks for a wait that is too long. */
export class RunStopped extends Error {
  override readonly name: string = 'RunStopped';
}

/** `--max-requests` is used up: the rest is not tested. */
export class BudgetSpent extends RunStopped {
  override readonly name = 'BudgetSpent';
  constructor(readonly maximum: number) {
    super(`the budget of ${maximum} request${maximum === 1 ? '' : 's'} (--max-requests) is used up`);
  }
}

/** The user interrupted the run. */
export class Interrupted extends RunStopped {
  override readonly name = 'Interrupted';
  constructor() {
    super('the run was interrupted');
  }
}
