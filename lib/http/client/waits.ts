import { setMaxListeners } from 'node:events';
import type { Clock } from '../clock/clock.js';
import type { Pause } from './pace.js';

/** The waits of a run: until a moment, or until something changes. */
export class Waits {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #told: (wait: Pause | null) => void;
  #waiting: Array<() => void> = [];
  #totalMs = 0;
  #until = 0;

  /** @param told is called when a wait that has a reason begins, and with `null` when it is over */
  constructor(clock: Clock, signal: AbortSignal, told: (wait: Pause | null) => void = () => undefined) {
    this.#clock = clock;
    this.#signal = signal;
    this.#told = told;
    // Each request and each wait listens for the end; none of them leaks.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', () => this.changed());
  }

  /** Milliseconds of all waits that have a reason; what several wait at once counts once. */
  get totalMs(): number {
    return Math.round(this.#totalMs);
  }

  /** Ends the waits for a change. */
  changed(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /**
   * @param until without it, until something changes, or the signal aborts
   * @throws the signal's reason if it aborts before the moment
   */
  async wait({ until, reason = '' }: Partial<Pause> = {}): Promise<void> {
    if (until === undefined) return new Promise((resolve) => void this.#waiting.push(resolve));
    const began = this.#clock.now();
    if (reason === '') return this.#clock.sleep(until - began, this.#signal);
    this.#told({ until, reason });
    try {
      await this.#clock.sleep(until - began, this.#signal);
    } finally {
      const ended = this.#clock.now();
      this.#totalMs += Math.max(0, ended - Math.max(began, this.#until));
      this.#until = ended;
      this.#told(null);
    }
  }
}
