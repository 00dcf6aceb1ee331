import { describe } from 'vitest';
import { limitVariants } from '../reference/variants/limit-variants.js';
import { circumstanceCases, limitVariantCase } from './limit-case.js';
import { casesTurnExactlyTheirSet } from './testing/faults-turn.js';

describe('against each limiter that conforms, nothing turns and nothing stays open', () => {
  casesTurnExactlyTheirSet(limitVariants.map((variant) => limitVariantCase(variant)));
});

/** All of them take minutes: `npm run proof -- --parts=circumstances`. */
const oneIn = 19;

describe('behind another algorithm, and under a condition, exactly the ids turn that can be seen', () => {
  casesTurnExactlyTheirSet(circumstanceCases().filter((_one, place) => place % oneIn === 0));
});
