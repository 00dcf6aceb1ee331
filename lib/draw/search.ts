import * as fc from 'fast-check';

/** What a search may send. */
export interface SearchRoom<Value> {
  readonly examples: readonly Value[];
  /** Values to draw, in addition to the examples. */
  readonly drawn: number;
  /** Requests that may be spent on shrinking a counterexample. */
  readonly shrinks: number;
}

/**
 * Checks a property on examples and drawn values, all at once because it waits for a server, and shrinks the first
 * counterexample. Returns the smallest counterexample, or undefined if the property holds for all values.
 *
 * @param holds whether the property holds; called once for each distinct value
 */
export async function smallestCounterexample<Value>(
  arbitrary: fc.Arbitrary<Value>,
  search: Omit<SearchRoom<Value>, 'shrinks'> & { readonly seed: number; readonly shrinks: () => number },
  holds: (value: Value) => Promise<boolean>,
): Promise<Value | undefined> {
  const { seed, examples } = search;
  const parameters = { seed, numRuns: search.drawn + examples.length };
  const values = fc.sample(arbitrary, { ...parameters, examples: [...examples] });
  const known = new Map<string, Promise<boolean>>();
  let most = Infinity;
  const holdsOnce = async (value: Value): Promise<boolean> => {
    const key = fc.stringify(value);
    // Beyond the budget the property counts as true, which ends the shrinking.
    if (known.size >= most && !known.has(key)) return true;
    const result = known.get(key) ?? holds(value);
    known.set(key, result);
    return result;
  };
  if (!(await Promise.all(values.map(holdsOnce))).includes(false)) return undefined;
  most = known.size + search.shrinks();
  const asExamples = examples.map((value): [Value] => [value]);
  const smaller = fc.asyncProperty(arbitrary, holdsOnce);
  return (await fc.check(smaller, { ...parameters, examples: asExamples })).counterexample?.[0];
}
