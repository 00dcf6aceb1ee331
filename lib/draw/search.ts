import * as fc from 'fast-check';

export interface SearchRoom<Value> {
  readonly examples: readonly Value[];
  /** Values to draw, in addition to the examples. */
  readonly drawn: number;
  /** Requests that may be spent on a smaller value that breaks the property, too. */
  readonly shrinks: number;
}

/**
 * Tries examples and drawn values, all at once because it waits for a server, and then smaller ones than the first that
 * breaks the property. What was sent is judged by rules.
 * @param holds whether the property holds for a value
 */
export async function search<Value>(
  arbitrary: fc.Arbitrary<Value>,
  { examples, drawn, seed, shrinks }: SearchRoom<Value> & { readonly seed: number },
  holds: (value: Value) => Promise<boolean>,
): Promise<void> {
  const values = [...new Set([...examples, ...fc.sample(arbitrary, { seed, numRuns: drawn })])];
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
