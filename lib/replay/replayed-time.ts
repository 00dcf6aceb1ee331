import type { Clock } from '../http/clock/clock.js';

/** Something that a recorded run did at a moment, or that a sleeper is woken for. */
interface Event {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly happen: () => void;
}

/**
 * The time of a recorded run: it stands still while anything works, and then goes on to what happened next. Everything
 * that a replay waits for is an event here, so that it happens in the order of the run, and takes no time.
 */
export class ReplayedTime implements Clock {
  #now: number;
  #events: Event[] = [];
  #watching = false;
  readonly #nothingLeft: () => void;

  /** @param nothingLeft called if there is no event left and something may still wait */
  constructor(now: number, nothingLeft: () => void) {
    this.#now = now;
    this.#nothingLeft = nothingLeft;
  }

  readonly now = (): number => this.#now;

  /** Resolves when the run has come to this moment; at once if it is over. */
  reach(at: number): Promise<void> {
    return new Promise((resolve) => this.#add({ at, happen: resolve }));
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const aborted = (): void => {
        this.#events = this.#events.filter((one) => one !== event);
        reject(signal?.reason as Error);
      };
      const event: Event = {
        at: this.#now + Math.max(0, milliseconds),
        happen: () => {
          signal?.removeEventListener('abort', aborted);
          resolve();
        },
      };
      if (signal?.aborted) return reject(signal.reason as Error);
      signal?.addEventListener('abort', aborted, { once: true });
      this.#add(event);
    });
  }

  /** Has whatever comes next looked for, once everything that can go on has gone on. */
  watch(): void {
    if (this.#watching) return;
    this.#watching = true;
    // All settled promises have been followed up when an immediate runs.
    setImmediate(() => {
      this.#watching = false;
      const [next] = this.#events;
      if (!next) return this.#nothingLeft();
      this.#events.shift();
      this.#now = Math.max(this.#now, next.at);
      next.happen();
      this.watch();
    });
  }

  #add(event: Event): void {
    // Behind those of the same moment: they were there first.
    const later = this.#events.findIndex(({ at }) => at > event.at);
    this.#events.splice(later < 0 ? this.#events.length : later, 0, event);
    this.watch();
  }
}
