/**
 * Why a request was not sent, or its answer can't be had. Each carries a sentence for the report. They pass through a
 * probe untouched; the engine turns them into a verdict with a reason.
 */

/** `--max-requests` is used up: what is left is not tested. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
  constructor(readonly maximum: number) {
    super(`the budget of ${maximum} request${maximum === 1 ? '' : 's'} (--max-requests) is used up`);
  }
}

/** The run ends here: the target is lost, or asks for a wait that no run can afford. */
export class RunStopped extends Error {
  override readonly name = 'RunStopped';
}

/** The user interrupted the run. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  constructor() {
    super('the run was interrupted');
  }
}
