import { performance } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { monotonicNow, type Clock } from './clock.js';

/** Milliseconds by which the clock goes on whenever it is looked at: a request and its response take about ten looks. */
const lookMs = 0.1;
/** Turns of the event loop that a wait takes. */
const turnsOfWait = 3;

/**
 * A clock for tests that a busy machine does not slow down: what is worked takes the same time everywhere, what is
 * waited for (a timer, say) takes real time, and every sleep is jumped over: a minute's wait takes no time, and whoever
 * shares the clock (a service in the same process) sees the minute gone.
 */
export class SkippingClock implements Clock {
  #now: number;
  #idle = idleMs();

  /** @param start milliseconds since the epoch; by default now */
  constructor(start = monotonicNow()) {
    this.#now = start;
  }

  readonly now = (): number => {
    const idle = idleMs();
    this.#now += lookMs + idle - this.#idle;
    this.#idle = idle;
    return this.#now;
  };

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const until = this.now() + milliseconds;
    // What a wait is for gets done in it: a server in this process closes connections, say.
    for (let turns = 0; turns < turnsOfWait; turns += 1) await turn();
    signal?.throwIfAborted();
    // Another sleeper may have jumped as far already.
    this.#now = Math.max(this.#now, until);
  }
}

/** Milliseconds in which the event loop of this thread had nothing to do. */
function idleMs(): number {
  return performance.eventLoopUtilization().idle;
}
