import { createContext, Script } from 'node:vm';
import { open, type Check } from '../verdict/check.js';

const timeout = 2_000;
const context = createContext({});
const script = new Script('compute()');

/**
 * The checks of a generator that uses the schemas of a target, up to its end: a `pattern`, or compositions of compositions,
 * may have none.
 */
export function bounded(checks: Iterable<Check>): Check[] {
  const made: Check[] = [];
  const compute = (): void => {
    for (const check of checks) made.push(check);
  };
  try {
    script.runInContext(Object.assign(context, { compute }), { timeout });
  } catch (error) {
    const isLate = Reflect.get(Object(error), 'code') === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    if (!isLate && !(error instanceof RangeError)) throw error;
    made.push(open('the schemas of the interface description nest too deep, or take too long to be tried'));
  }
  return made;
}
