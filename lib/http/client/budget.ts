import { BudgetSpent } from './run-end.js';

/** What a run may still send (`--max-requests`), whoever sends it. */
export class Budget {
  readonly #maximum: number;
  #used = 0;

  constructor(maximum = Number.POSITIVE_INFINITY) {
    this.#maximum = maximum;
  }

  /** Requests that may still be sent. */
  get left(): number {
    return this.#maximum - this.#used;
  }

  /** What refuses a request if nothing is left. */
  get error(): BudgetSpent {
    return new BudgetSpent(this.#maximum);
  }

  /** Takes requests from it before they are sent; returns how many it grants. */
  take(requests: number): number {
    const granted = Math.max(0, Math.min(requests, this.left));
    this.#used += granted;
    return granted;
  }

  /** Gives back what was not sent. */
  giveBack(requests: number): void {
    this.#used -= requests;
  }
}
