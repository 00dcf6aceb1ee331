import * as fc from 'fast-check';

export interface Search<Value> {
  readonly seed: number;
  /** Values drawn, beside the examples. */
  readonly runs: number;
  readonly examples: readonly Value[];
  /** Requests that may be spent on making a counterexample small. */
  readonly shrinkBudget: () => number;
}

/**
 * Tries a law on examples and drawn values, all at once (a law waits for a server), and where one breaks it, looks for
 * a smaller value that does. Returns the smallest found, or undefined where the law held for all.
 *
 * @param law resolves to true where the law holds, false where it does not. It is asked once for each distinct value.
 */
export async function smallestCounterexample<Value>(
  arbitrary: fc.Arbitrary<Value>,
  search: Search<Value>,
  law: (value: Value) => Promise<boolean>,
): Promise<{ value: Value; shrinks: number } | undefined> {
  const parameters = {
    seed: search.seed,
    numRuns: search.runs + search.examples.length,
    examples: search.examples.map((value): [Value] => [value]),
  };
  const drawn: Value[] = [];
  fc.check(
    fc.property(arbitrary, (value) => void drawn.push(value)),
    parameters,
  );
  const known = new Map<string, Promise<boolean>>();
  const ask = (value: Value): Promise<boolean> => {
    const key = fc.stringify(value);
    const answer = known.get(key) ?? law(value);
    known.set(key, answer);
    return answer;
  };
  const held = await Promise.all(drawn.map(ask));
  if (!held.includes(false)) return undefined;
  let left = search.shrinkBudget();
  const details = await fc.check(
    fc.asyncProperty(arbitrary, async (value) => {
      if (known.has(fc.stringify(value))) return ask(value);
      left -= 1;
      // Beyond the budget every smaller value counts as keeping the law: what is found so far stands.
      return left < 0 || ask(value);
    }),
    parameters,
  );
  const value = details.counterexample?.[0] ?? drawn[held.indexOf(false)];
  return value === undefined ? undefined : { value, shrinks: details.numShrinks };
}
