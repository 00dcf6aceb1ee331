/**
 * One for all: while the target can't be reached, a single request tries it again and everything else waits for what
 * comes of that.
 */
export class Outage {
  #over: Promise<void> | undefined;

  /** Whether somebody is trying to reach the target. */
  get lasts(): boolean {
    return this.#over !== undefined;
  }

  /** Resolves when nobody tries any more, whatever came of it. */
  async over(): Promise<void> {
    while (this.#over) await this.#over;
  }

  /** Lets `attempt` try alone. Not to be called while another one lasts. */
  async during<Result>(attempt: () => Promise<Result>): Promise<Result> {
    const trying = attempt();
    this.#over = trying.then(
      () => undefined,
      () => undefined,
    );
    try {
      return await trying;
    } finally {
      this.#over = undefined;
    }
  }
}
