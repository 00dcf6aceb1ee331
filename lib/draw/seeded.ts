import { createHash } from 'node:crypto';
import * as fc from 'fast-check';

export interface SearchRoom<Value> {
  readonly examples: readonly Value[];
  /** Values to draw, in addition to the examples. */
  readonly drawn: number;
  /** Requests that may be spent on a smaller value that breaks the property, too. */
  readonly shrinks: number;
}

/** Values drawn for one purpose. The same seed and purpose draw the same values, whatever other probes do meanwhile. */
export class Draw {
  #next: number;

  constructor(seed: number, purpose: string) {
    this.#next = seedFor(seed, purpose);
  }

  some<Value>(arbitrary: fc.Arbitrary<Value>, count: number): Value[] {
    this.#next += 1;
    return fc.sample(arbitrary, { seed: this.#next, numRuns: count });
  }

  one<Value>(arbitrary: fc.Arbitrary<Value>): Value {
    const [value] = this.some(arbitrary, 1);
    // fc.sample returns exactly `numRuns` values.
    return value as Value;
  }

  /**
   * Tries examples and drawn values, all at once because it waits for a server, and then smaller ones than the first that
   * breaks the property. What was sent is judged by rules.
   * @param holds whether the property holds for a value
   */
  async search<Value>(
    arbitrary: fc.Arbitrary<Value>,
    { examples, drawn, shrinks }: SearchRoom<Value>,
    holds: (value: Value) => Promise<boolean>,
  ): Promise<void> {
    const values = [...new Set([...examples, ...this.some(arbitrary, drawn)])];
    const broken = values[(await Promise.all(values.map(holds))).indexOf(false)];
    if (broken === undefined) return;
    let left = shrinks;
    const smaller = fc.asyncProperty(arbitrary, async (value) => {
      if (value === broken) return false;
      left -= 1;
      // Beyond the budget the property counts as true, which ends the shrinking.
      return left < 0 || holds(value);
    });
    await fc.check(smaller, { numRuns: 1, examples: [[broken]] });
  }
}

/** A 32-bit seed made from the run's seed and a purpose. */
export function seedFor(seed: number, purpose: string): number {
  return createHash('sha256').update(`${seed}:${purpose}`).digest().readInt32BE();
}
