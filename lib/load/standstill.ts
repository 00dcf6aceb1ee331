/** Milliseconds between two signs of life of this process, and beyond them what is a standstill. */
const beatMs = 5;
const stillMs = 10;

/**
 * Knows when this process last stood still: for garbage collection, or because other processes used the processor. What came
 * meanwhile is read right behind it, and its lateness is not the target's.
 */
export class Standstill {
  #beat = performance.now();
  #from = 0;
  #until = 0;
  readonly #timer = setInterval(() => this.within(0), beatMs).unref();

  /** How many of the latest milliseconds up to now, which something took, it stood still just before it was seen. */
  within(milliseconds: number): number {
    const now = performance.now();
    if (now - this.#beat > beatMs + stillMs) [this.#from, this.#until] = [this.#beat + beatMs, now];
    this.#beat = now;
    // Whatever waited is read in the first turn behind a standstill.
    if (now - this.#until > stillMs) return 0;
    return Math.max(0, this.#until - Math.max(this.#from, now - milliseconds));
  }

  end(): void {
    clearInterval(this.#timer);
  }
}
