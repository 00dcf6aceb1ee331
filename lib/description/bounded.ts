import { createContext, Script } from 'node:vm';

/** A description whose parts are too large, too deep or too slow to be judged. */
export class TooLarge extends Error {}

const script = new Script('compute()');
const context = createContext({});

/**
 * Ends a computation that would not end by itself: a `pattern`, or compositions of compositions, may take longer than the
 * age of the universe.
 *
 * @throws TooLarge if it takes more than `milliseconds`, or overflows the stack.
 */
export function bounded(compute: () => void, milliseconds = 2_000): void {
  try {
    script.runInContext(Object.assign(context, { compute }), { timeout: milliseconds });
  } catch (error) {
    if (error instanceof RangeError) throw new TooLarge('it nests too deep');
    const code: unknown = Reflect.get(Object(error), 'code');
    throw code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? new TooLarge('it takes too long') : error;
  }
}
