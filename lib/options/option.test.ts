import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { checkOptions, int64, listOf, oneOf, onOff, option, text, time, wholeNumber } from './option.js';
import { UsageProblem } from '../explain/usage-problem.js';

const options = {
  apiKey: option(text, undefined, undefined, { secret: true }),
  category: option(int64),
  id: option(oneOf(['LIST-01', 'AUTH-01'])),
  plans: option(listOf(oneOf(['free', 'pro']))),
  seed: option(wholeNumber(3, 10_000_000)),
  strict: onOff(),
  wait: option(time('0s', '1h')),
};
const checked = (name: keyof typeof options, typed: string) =>
  checkOptions(options, { [name]: typed }, ([option]) => `--${option}`)[name];

describe('a text that was typed', () => {
  test('is a whole number if it has only digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 10_000_000 }), (number) => {
        expect(checked('seed', String(number))).toBe(number);
      }),
    );
  });

  test.each([
    '2',
    '10000001',
    '-5',
    '5.0',
    '5e0',
    '0x5',
    '',
    ' ',
    'five',
    '５',
    'Infinity',
    '99999999999999999999',
  ])('%j is not a whole number from 3 to 10000000', (typed) => {
    expect(() => checked('seed', typed)).toThrow(UsageProblem);
    expect(() => checked('seed', typed)).toThrow(/^--seed must be a whole number from 3 to 10000000; got /);
  });

  test('is a name in any case, a list with commas, a 64-bit integer', () => {
    expect(checked('plans', 'Pro, free')).toEqual(['pro', 'free']);
    expect(checked('category', '-9223372036854775808')).toBe(-(2n ** 63n));
  });

  test('is a time with its unit, in words of a person', () => {
    expect(checked('wait', '1.5m')).toBe(90_000);
    expect(() => checked('wait', '10')).toThrow(
      /^--wait must be a time with its unit, from 0s to 1h \(30s, 5m\); got "10"$/,
    );
    expect(() => checked('wait', '2h')).toThrow(
      '--wait must be a time with its unit, from 0s to 1h (30s, 5m); got "2h"',
    );
    expect(checkOptions(options, { wait: 10 }).wait).toBe(10);
  });

  test.each([
    ['plans', 'free,gold', '--plans must be one of free, pro; got "gold"'],
    ['category', '9223372036854775808', '--category must be a 64-bit integer; got 9223372036854775808'],
    ['category', 'dogs', '--category must be a 64-bit integer; got "dogs"'],
    ['id', 'X', '--id must be one of LIST-01, AUTH-01; got "X"'],
    ['id', 'LITS-01', '--id must be one of LIST-01, AUTH-01; got "LITS-01". Did you mean LIST-01?'],
  ] as const)('%s=%s is refused: %s', (name, typed, message) => {
    expect(() => checked(name, typed)).toThrow(message);
  });
});

describe('the options of a program', () => {
  test('are returned as they are', () => {
    const given = { seed: 3, strict: false, plans: ['pro'], apiKey: undefined };
    expect(checkOptions(options, given)).toEqual(given);
    expect(checkOptions(options, { category: 7 }).category).toBe(7n);
  });

  test.each([
    [{ sede: 3 }, 'unknown option sede. Did you mean seed?'],
    [{ seed: 'three' }, 'seed must be a whole number from 3 to 10000000; got "three"'],
    [{ strict: 'yes' }, 'strict must be true or false; got "yes"'],
    [{ apiKey: 12_345 }, /^apiKey must be text$/],
    [[], 'the options must be an object'],
  ])('%j are refused: %s', (given, message) => {
    expect(() => checkOptions(options, given)).toThrow(UsageProblem);
    expect(() => checkOptions(options, given)).toThrow(message);
  });

  test('may hold options: the path to a wrong one is named', () => {
    const nested = { key: option(z.strictObject({ seed: wholeNumber(1, 2) })) };
    expect(() => checkOptions(nested, { key: { seed: 3 } })).toThrow(
      'key.seed must be a whole number from 1 to 2',
    );
  });
});
