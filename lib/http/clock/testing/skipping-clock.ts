import { setImmediate as turn } from 'node:timers/promises';
import { systemClock, type Clock } from '../clock.js';

/** Turns of the event loop that a wait takes. */
const turnsOfWait = 3;

/**
 * A clock for tests that jumps over every sleep: a minute's wait takes no time, and whoever shares the clock (a service
 * in the same process) sees the minute gone.
 */
export class SkippingClock implements Clock {
  #skipped: number;

  /**
   * @param start milliseconds since the epoch; by default now
   * @param time tells, in milliseconds, how time passes beside the sleeps; by default as it does
   */
  constructor(
    start = systemClock.now(),
    private readonly time = () => systemClock.now(),
  ) {
    this.#skipped = start - time();
  }

  readonly now = (): number => this.time() + this.#skipped;

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const until = this.now() + milliseconds;
    // What a wait is for gets done in it: a server in this process closes connections, say.
    for (let turns = 0; turns < turnsOfWait; turns += 1) await turn();
    signal?.throwIfAborted();
    // Another sleeper may have jumped as far already.
    this.#skipped += Math.max(0, until - this.now());
  }
}
