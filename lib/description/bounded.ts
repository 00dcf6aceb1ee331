import { createContext, Script } from 'node:vm';

const timeout = 2_000;
const context = createContext({});
const script = new Script('compute()');

/**
 * Runs what uses the schemas of a target: a `pattern`, or compositions of compositions, may not end by themselves.
 * @returns why it did not get to its end; undefined if it did
 */
export function bounded(compute: () => void): string | undefined {
  try {
    script.runInContext(Object.assign(context, { compute }), { timeout });
    return undefined;
  } catch (error) {
    if (error instanceof RangeError) return 'it nests too deep';
    if (Reflect.get(Object(error), 'code') === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return 'it takes too long';
    throw error;
  }
}
