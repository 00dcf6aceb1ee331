/** Requests that are under way at once, those of all callers together. */
export class Concurrency {
  #most: number;
  #underWay = 0;
  readonly #waiting: Array<() => void> = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** Whether so many more can be sent now. A burst that is larger than what is allowed goes alone. */
  hasRoom(count: number): boolean {
    return this.#underWay === 0 || this.#underWay + count <= this.#most;
  }

  /** Counts requests as under way, and returns how many there are now. */
  enter(count: number): number {
    this.#underWay += count;
    return this.#underWay;
  }

  leave(): void {
    this.#underWay -= 1;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** A request was lost while so many were under way: half as many may have a response each. */
  lost(underWay: number): void {
    this.#most = Math.max(1, Math.min(this.#most, Math.floor(underWay / 2)));
  }

  /** Waits until a request is no longer under way. Rejects when `signal` aborts. */
  async next(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const aborted = (): void => reject(signal.reason as Error);
      signal.addEventListener('abort', aborted, { once: true });
      this.#waiting.push(() => {
        signal.removeEventListener('abort', aborted);
        resolve();
      });
    });
  }
}
