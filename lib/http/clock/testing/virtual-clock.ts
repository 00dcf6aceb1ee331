import type { Clock } from '../clock.js';

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/**
 * A clock that stands still while anything works, and goes on to the next one who sleeps when nothing else does. For
 * tests in which all that takes time sleeps on this clock: hours take no time, and the same ones every time.
 */
export class VirtualClock implements Clock {
  #now: number;
  #sleepers: Sleeper[] = [];
  #watching = false;
  #quiet = 0;
  readonly #turns: number;

  /**
   * @param turns of the event loop in which nobody begins to sleep, before the clock goes on. A request to a server in
   * this process and its response take about ten.
   */
  constructor(now = Date.UTC(2026, 0, 1), turns = 1) {
    this.#now = now;
    this.#turns = turns;
  }

  readonly now = (): number => this.#now;

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const aborted = (): void => {
        this.#sleepers = this.#sleepers.filter((one) => one !== sleeper);
        reject(signal?.reason as Error);
      };
      const sleeper: Sleeper = {
        until: this.#now + Math.max(0, milliseconds),
        wake: () => {
          signal?.removeEventListener('abort', aborted);
          resolve();
        },
      };
      if (signal?.aborted) {
        aborted();
        return;
      }
      signal?.addEventListener('abort', aborted, { once: true });
      this.#sleepers.push(sleeper);
      this.#quiet = 0;
      this.#watch();
    });
  }

  /** Promises that are settled have all been followed up when an immediate runs: then whoever is left sleeps. */
  #watch(): void {
    if (this.#watching) return;
    this.#watching = true;
    const look = (): void => {
      this.#quiet += 1;
      if (this.#quiet < this.#turns) {
        setImmediate(look);
        return;
      }
      this.#watching = false;
      this.#quiet = 0;
      const [next] = this.#sleepers.toSorted((one, other) => one.until - other.until);
      if (!next) return;
      this.#sleepers = this.#sleepers.filter((one) => one !== next);
      this.#now = Math.max(this.#now, next.until);
      next.wake();
      if (this.#sleepers.length > 0) this.#watch();
    };
    setImmediate(look);
  }
}
