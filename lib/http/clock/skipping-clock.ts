import { performance } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { monotonicNow, type Clock } from './clock.js';

/** Turns of the event loop that a wait takes. */
const turnsOfWait = 3;
/** Milliseconds for which each look at the time of work stands: a request and its response take about ten looks. */
const lookMs = 0.1;

/**
 * A clock for tests that jumps over every sleep: a minute's wait takes no time, and whoever shares the clock (a service
 * in the same process) sees the minute gone.
 */
export class SkippingClock implements Clock {
  readonly #time: () => number;
  #skipped: number;

  /**
   * @param start milliseconds since the epoch; by default now
   * @param time tells, in milliseconds, how time passes beside the sleeps; by default as it does
   */
  constructor(start = monotonicNow(), time = monotonicNow) {
    this.#time = time;
    this.#skipped = start - time();
  }

  readonly now = (): number => this.#time() + this.#skipped;

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const until = this.now() + milliseconds;
    // What a wait is for gets done in it: a server in this process closes connections, say.
    for (let turns = 0; turns < turnsOfWait; turns += 1) await turn();
    signal?.throwIfAborted();
    // Another sleeper may have jumped as far already.
    this.#skipped += Math.max(0, until - this.now());
  }
}

/**
 * Time that a busy machine does not slow down, for a clock that all share who are looked at by it: what is worked takes
 * the same time everywhere, and what is waited for (a timer, say) takes real time.
 */
export function timeOfWork(): () => number {
  let looks = 0;
  return () => {
    looks += 1;
    return looks * lookMs + performance.eventLoopUtilization().idle;
  };
}
