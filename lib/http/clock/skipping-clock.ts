import { setImmediate as turn } from 'node:timers/promises';
import { monotonicNow, type Clock } from './clock.js';

/**
 * A clock for tests that runs with real time, but jumps over every sleep: a minute's wait takes no time, and whoever
 * shares the clock (a service in the same process) sees the minute gone.
 */
export class SkippingClock implements Clock {
  #skipped: number;

  /** @param start milliseconds since the epoch; by default now */
  constructor(start = monotonicNow()) {
    this.#skipped = start - monotonicNow();
  }

  readonly now = (): number => monotonicNow() + this.#skipped;

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const until = this.now() + milliseconds;
    // What is ready to run has its turn first; another sleeper may have jumped as far already.
    await turn();
    signal?.throwIfAborted();
    this.#skipped += Math.max(0, until - this.now());
  }
}
