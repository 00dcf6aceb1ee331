import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { checkCommandLine, invocationOf, readCommandLine } from './command-line.js';
import { commandOf } from './command-text.js';
import { listOf, oneOf, onOff, option, text, wholeNumber } from './options-schema.js';
import { UsageProblem } from './usage-problem.js';

const options = {
  baseUrl: option(text, { value: 'URL' }),
  apiKey: option(text, { value: 'KEY', secret: true }),
  maxRequests: option(wholeNumber(1, 100), { value: 'N' }),
  only: option(listOf(text), { value: 'ID,…' }),
  plan: option(oneOf(['free', 'pro']), { value: 'PLAN' }),
  strict: onOff({}),
  testNamePattern: option(text, { flag: 'testNamePattern', short: 't' }),
  subject: option(z.array(text), { repeats: true }),
};

/** What a person may type as a value, without a dash at its beginning: it would be an option. */
const values = fc
  .string({ minLength: 1, maxLength: 20, unit: 'grapheme' })
  .filter((typed) => !typed.startsWith('-'));
const commandLines = fc.uniqueArray(
  fc.oneof(
    fc.tuple(fc.constantFrom('baseUrl', 'apiKey', 'only'), values),
    fc.constant<[string, true]>(['strict', true]),
  ),
  { selector: ([name]) => name },
);
const flags: Readonly<Record<string, string>> = { baseUrl: 'base-url', apiKey: 'api-key' };

describe('a command line', () => {
  test('is the same with `=` and with a space, in any order', () => {
    fc.assert(
      fc.property(commandLines, (given) => {
        const typed = given.map(([name, value]) => [`--${flags[name] ?? name}`, value] as const);
        const inline = typed.map(([flag, value]) => (value === true ? flag : `${flag}=${value}`));
        const apart = typed
          .toReversed()
          .flatMap(([flag, value]) => (value === true ? [flag] : [flag, value]));
        expect(readCommandLine(inline, options)).toEqual({ typed: Object.fromEntries(given), operands: [] });
        expect(readCommandLine(apart, options)).toEqual(readCommandLine(inline, options));
      }),
    );
  });

  test('takes a short name, and an option more than once', () => {
    const argv = ['-t', 'no key', '--subject=one', '--subject', 'another', '--strict'];
    expect(readCommandLine(argv, options).typed).toEqual({
      testNamePattern: 'no key',
      subject: ['one', 'another'],
      strict: true,
    });
    expect(readCommandLine(['-t=AUTH'], options)).toEqual(readCommandLine(['-tAUTH'], options));
  });

  test('may have operands if they are expected', () => {
    expect(readCommandLine(['render', '--strict', 'DIR'], options, { operands: true })).toEqual({
      typed: { strict: true },
      operands: ['render', 'DIR'],
    });
  });

  test('takes an address that stands alone for the option that it is the value of', () => {
    const read = (...argv: string[]): unknown => readCommandLine(argv, options, { operand: 'baseUrl' }).typed;
    expect(read('http://localhost/v1', '--strict')).toEqual({ baseUrl: 'http://localhost/v1', strict: true });
    expect(() => read('http://localhost/v1', '--base-url=http://localhost/v1')).toThrow('given twice');
    // Which option it is missing its scheme for, the option says.
    expect(read('localhost:8080/v1')).toEqual({ baseUrl: 'localhost:8080/v1' });
    expect(() => read('staging')).toThrow('unexpected argument staging');
  });

  test('takes an option that may stand without its value', () => {
    const watch = { ...options, watch: option(text.or(z.literal(true)), { value: 'PATH', mayBeBare: true }) };
    const read = (...argv: string[]): unknown => readCommandLine(argv, watch).typed;
    expect(read('--watch', '--strict')).toEqual({ watch: true, strict: true });
    expect(read('--watch=src')).toEqual({ watch: 'src' });
  });

  test.each([
    [['--max-request=3'], 'unknown option --max-request. Did you mean --max-requests?'],
    [['--apikey=secret-of-ours'], 'unknown option --apikey. Did you mean --api-key?'],
    [['--strict.x=1'], 'unknown option --strict.x.'],
    [
      ['--reporter=json'],
      /^unknown option --reporter\. --reporter, .* belong to npx vitest\. Use --report=junit$/,
    ],
    [['--outputFile.junit=a.xml'], /^unknown option --outputFile\..* Use --report=junit, which writes/],
    [['--testNamePatern=a'], 'Did you mean --testNamePattern?'],
    [['--json'], /^unknown option --json\. See --help\.$/],
    [['-x'], 'unknown option -x.'],
    [['--strict', 'staging'], 'unexpected argument staging: options begin with --'],
    [['--', 'staging'], 'unexpected argument staging'],
    [['--plan'], '--plan needs a value'],
    [['--plan='], '--plan needs a value'],
    [['--plan', '--strict'], '--plan needs a value'],
    [['-t'], '-t needs a value'],
    [['--strict=yes'], '--strict takes no value'],
    [['--plan=free', '--plan=pro'], '--plan is given twice'],
    [['--strict', '--strict'], '--strict is given twice'],
    [['--plan=gold'], '--plan must be one of free, pro; got "gold"'],
    [['--max-requests=0'], '--max-requests must be a whole number from 1 to 100; got 0'],
    [['--only= , '], '--only must be a list; got " , "'],
  ])('%j is refused: %s', (argv, message) => {
    expect(() => checkCommandLine(argv, options)).toThrow(UsageProblem);
    expect(() => checkCommandLine(argv, options)).toThrow(message);
  });

  test('does not repeat a key that follows an unknown option', () => {
    expect(() => checkCommandLine(['--apikey=secret-of-ours'], options)).not.toThrow(/secret/);
  });

  test('is shown as a shell takes it, without any key', () => {
    const argv = [
      '--only= A , b',
      '--api-key=k',
      '--strict',
      '-t',
      "an owner's",
      '--subject=a',
      '--subject=b',
    ];
    expect(commandOf('npm test --', options, readCommandLine(argv, options).typed)).toBe(
      String.raw`npm test -- --api-key=*** --only=' A , b' --strict --testNamePattern='an owner'\''s' --subject=a --subject=b`,
    );
  });
});

test.each([
  ['/project/scripts/dev.mjs', 'npm run report --'],
  ['/elsewhere/node_modules/.bin/petstore-conformance', 'npx petstore-conformance report'],
  ['/project/dist/scripts/petstore-conformance.js', 'npx petstore-conformance report'],
])('a report started by %s is called as %s', (program, called) => {
  expect(invocationOf('report', ['node', program])).toBe(called);
});

test('a program that nobody named is called as in a checkout', () => {
  expect(invocationOf('load', ['node'])).toBe('npm run load --');
});
