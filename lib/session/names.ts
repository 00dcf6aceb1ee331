import { seedFor } from '../draw/seeded.js';

/** The names of a run's animals: all begin with its marker, and no two are equal. */
export class Names {
  readonly #seed: number;
  readonly #numbers = new Map<string, number>();
  #marker: string | undefined;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** What every name begins with; undefined before it is chosen. */
  get marker(): string | undefined {
    return this.#marker;
  }

  /** Chooses the marker. The seed decides it; if another run has used it already, the next one is taken. */
  choose(inUse: readonly string[]): void {
    for (let salt = 0; ; salt += 1) {
      const marker = `pc${(seedFor(this.#seed, `marker ${salt}`) >>> 0).toString(36)}`;
      if (inUse.some((name) => name.startsWith(marker))) continue;
      this.#marker = marker;
      return;
    }
  }

  /** A name that no other animal of the run has. */
  next(purpose: string): string {
    if (this.#marker === undefined) throw new Error('names are made after the survey');
    const number = (this.#numbers.get(purpose) ?? 0) + 1;
    this.#numbers.set(purpose, number);
    return `${this.#marker} ${purpose} ${number}`;
  }
}
