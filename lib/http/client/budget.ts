import { BudgetSpent } from './run-end.js';

/** What a run may still send (`--max-requests`), whoever sends it. */
export class Budget {
  readonly #maximum: number;
  readonly #sent: () => number;
  #reserved = 0;

  constructor(maximum: number | undefined, sent: () => number) {
    this.#maximum = maximum ?? Number.POSITIVE_INFINITY;
    this.#sent = sent;
  }

  /** Requests that may still be sent. */
  get left(): number {
    return this.#maximum - this.#sent() - this.#reserved;
  }

  /** What refuses a request if nothing is left. */
  get error(): BudgetSpent {
    return new BudgetSpent(this.#maximum);
  }

  /** The sentence for the report if nothing is left. */
  get spent(): string {
    return this.error.message;
  }

  /** Keeps a part for requests that another sender sends; returns how many it grants. */
  reserve(requests: number): number {
    const granted = Math.max(0, Math.min(requests, this.left));
    this.#reserved += granted;
    return granted;
  }

  /** Gives back what was reserved, once it is recorded or was not sent. */
  release(requests: number): void {
    this.#reserved -= requests;
  }
}
