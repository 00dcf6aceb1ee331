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
  const parameters: fc.Parameters<[Value]> = {
    seed: search.seed,
    numRuns: search.drawn + search.examples.length,
    examples: search.examples.map((value) => [value]),
  };
  const drawn: Value[] = [];
  const draws = fc.property(arbitrary, (value) => void drawn.push(value));
  fc.check(draws, parameters);
  const known = new Map<string, Promise<boolean>>();
  const holdsOnce = (value: Value): Promise<boolean> => {
    const key = fc.stringify(value);
    const result = known.get(key) ?? holds(value);
    known.set(key, result);
    return result;
  };
  const held = await Promise.all(drawn.map(holdsOnce));
  if (!held.includes(false)) return undefined;
  let left = search.shrinks();
  const smaller = fc.asyncProperty(arbitrary, async (value) => {
    if (!known.has(fc.stringify(value))) left -= 1;
    // Beyond the budget the property counts as true, which ends the shrinking.
    return (left < 0 && !known.has(fc.stringify(value))) || holdsOnce(value);
  });
  const { counterexample } = await fc.check(smaller, parameters);
  return counterexample?.[0] ?? drawn[held.indexOf(false)];
}
