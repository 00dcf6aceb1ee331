/**
 * Lets many work at once, or one alone. Who asks for quiet waits for those under way, and those that come later wait
 * for it: a probe that counts must not be disturbed by the requests of others.
 */
export class AccessLock {
  #working = 0;
  #exclusive: Promise<void> | undefined;
  #idle: Array<() => void> = [];
  #turn: Promise<unknown> = Promise.resolve();

  async shared<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.#exclusive) await this.#exclusive;
    this.#working += 1;
    try {
      return await work();
    } finally {
      this.#working -= 1;
      if (this.#working === 0) for (const go of this.#idle.splice(0)) go();
    }
  }

  async exclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#turn.then(() => this.#takeTurn(work));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #takeTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    let release = (): void => undefined;
    this.#exclusive = new Promise((resolve) => {
      release = resolve;
    });
    try {
      while (this.#working > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
      return await work();
    } finally {
      this.#exclusive = undefined;
      release();
    }
  }
}
