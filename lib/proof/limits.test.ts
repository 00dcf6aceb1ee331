import { describe } from 'vitest';
import { limitFaults } from '../reference/faults/limits/limit-faults.js';
import { limitVariants } from '../reference/variants/limit-variants.js';
import { limitFaultCase, limitVariantCase } from './limit-case.js';
import { casesTurnExactlyTheirSet } from './testing/faults-turn.js';

/** A sample: all of them are tried by `npm run proof -- --parts=limits`. */
const oneIn = 9;

function sample<Value>(values: readonly Value[]): Value[] {
  return values.filter((_value, place) => place % oneIn === 1);
}

describe('against a fault of the limits, exactly the ids turn that it breaks', () => {
  casesTurnExactlyTheirSet(sample(limitFaults).map((fault) => limitFaultCase(fault)));
});

describe('against a limiter that conforms, nothing turns and nothing stays open', () => {
  casesTurnExactlyTheirSet(sample(limitVariants).map((variant) => limitVariantCase(variant)));
});
