import { BudgetSpent } from './run-end.js';

/** What a run may still send (`--max-requests`), whoever sends it. */
export class Budget {
  readonly #maximum: number | undefined;
  readonly #sent: () => number;
  #reserved = 0;

  constructor(maximum: number | undefined, sent: () => number) {
    this.#maximum = maximum;
    this.#sent = sent;
  }

  /** Requests that may still be sent. */
  get left(): number {
    return (this.#maximum ?? Number.POSITIVE_INFINITY) - this.#sent() - this.#reserved;
  }

  /** The error if nothing is left; undefined otherwise. */
  get error(): BudgetSpent | undefined {
    return this.left > 0 ? undefined : new BudgetSpent(this.#maximum ?? 0);
  }

  /** The sentence for the report if nothing is left. */
  get spent(): string {
    return new BudgetSpent(this.#maximum ?? 0).message;
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
