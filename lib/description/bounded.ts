import { createContext, Script } from 'node:vm';
import { open, type Check } from '../verdict/check.js';

/** Stands for the checks that a generator did not come to. */
export const tooLarge: Check = open(
  'the schemas of the interface description nest too deep, or take too long to be tried',
);

const timeout = 2_000;
const context = createContext({});
const script = new Script('compute()');

/**
 * What a generator makes of the schemas of a target: a `pattern`, or compositions of compositions, may not end by themselves.
 * @param rest stands for what they nest too deep for, or take too long for
 */
export function bounded<Made>(generated: Iterable<Made>, rest: Made): Made[] {
  const made: Made[] = [];
  const compute = (): void => {
    for (const one of generated) made.push(one);
  };
  try {
    script.runInContext(Object.assign(context, { compute }), { timeout });
  } catch (error) {
    const isLate = Reflect.get(Object(error), 'code') === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    if (!isLate && !(error instanceof RangeError)) throw error;
    made.push(rest);
  }
  return made;
}
