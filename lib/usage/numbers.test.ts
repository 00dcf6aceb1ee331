import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { oneOf, wholeNumberOf } from './numbers.js';
import { UsageProblem } from './usage-problem.js';

test('a whole number within its range is taken', () => {
  fc.assert(
    fc.property(fc.integer({ min: 3, max: 10_000_000 }), (number) => {
      expect(wholeNumberOf('--seed', String(number), 3, 10_000_000)).toBe(number);
    }),
  );
});

test.each(['2', '11', '-5', '5.0', '5e0', '0x5', '', ' ', 'five', '５', 'Infinity', '99999999999999999999'])(
  '%j is none from 3 to 10',
  (text) => {
    expect(() => wholeNumberOf('--seed', text, 3, 10)).toThrow(UsageProblem);
    expect(() => wholeNumberOf('--seed', text, 3, 10)).toThrow(
      `--seed is to be a whole number from 3 to 10, not ${JSON.stringify(text)}`,
    );
  },
);

test('a name is taken in any case, and any other word refused', () => {
  expect(oneOf('--plan', 'Pro', ['free', 'pro'])).toBe('pro');
  expect(() => oneOf('--plan', 'gold', ['free', 'pro'])).toThrow(
    '--plan is to be one of free, pro, not "gold"',
  );
  expect(() => oneOf('--plan', '', ['free', 'pro'])).toThrow(UsageProblem);
});
