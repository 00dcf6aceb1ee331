import type { Told } from './told.js';

/** How much was sent, and answered, when an answer came. */
interface Progress {
  readonly sent: number;
  readonly answered: number;
}

/** Watches Remaining fall further than was sent: then other clients use the key, whichever limit it shows. */
export class OthersWatch {
  #since:
    { readonly limit: number | undefined; readonly remaining: number; readonly answered: number } | undefined;
  #others = 0;

  /** Requests of others, as far as they are certain. */
  get others(): number {
    return this.#others;
  }

  see({ limit, remaining }: Told, { sent, answered }: Progress): void {
    if (remaining === undefined) return;
    const fallen = (this.#since?.remaining ?? 0) - remaining;
    if (!this.#since || this.#since.limit !== limit || fallen < 0) {
      this.#since = { limit, remaining, answered };
      return;
    }
    // What is under way may be counted in it already, in any order.
    this.#others = Math.max(this.#others, fallen - (sent - this.#since.answered));
  }
}
