/**
 * The run ends: the target is lost, asks for a wait that is too long, or the run may send no more. The message is a
 * sentence for the report: probes let it pass, and the engine makes the reason of a verdict of it.
 */
export class RunStopped extends Error {}

/** The user interrupted the run. */
export class Interrupted extends RunStopped {
  constructor() {
    super('the run was interrupted');
  }
}

/** What a run may still send (`--max-requests`), whoever sends it. */
export class Budget {
  left: number;

  constructor(private readonly maximum = Number.POSITIVE_INFINITY) {
    this.left = maximum;
  }

  /** What refuses a request if nothing is left: the rest is not tested. */
  get error(): RunStopped {
    const requests = this.maximum === 1 ? 'request' : 'requests';
    return new RunStopped(`the budget of ${this.maximum} ${requests} (--max-requests) is used up`);
  }

  /** Takes requests from it before they are sent; returns how many it grants. */
  take(requests: number): number {
    const granted = Math.max(0, Math.min(requests, this.left));
    this.left -= granted;
    return granted;
  }
}
