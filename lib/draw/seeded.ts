import { createHash } from 'node:crypto';
import * as fc from 'fast-check';

/** Values drawn for one purpose. The same seed and purpose draw the same values, whatever other probes do meanwhile. */
export class Draw {
  #next: number;

  constructor(seed: number, purpose: string) {
    this.#next = seedFor(seed, purpose);
  }

  some<Value>(arbitrary: fc.Arbitrary<Value>, count: number): Value[] {
    return fc.sample(arbitrary, { seed: this.seed(), numRuns: count });
  }

  one<Value>(arbitrary: fc.Arbitrary<Value>): Value {
    const [value] = this.some(arbitrary, 1);
    // fc.sample returns exactly `numRuns` values.
    return value as Value;
  }

  /** A separate seed, for a property that is checked and shrunk. */
  seed(): number {
    this.#next += 1;
    return this.#next;
  }
}

/** A 32-bit seed made from the run's seed and a purpose. */
export function seedFor(seed: number, purpose: string): number {
  return createHash('sha256').update(`${seed}:${purpose}`).digest().readInt32BE();
}
