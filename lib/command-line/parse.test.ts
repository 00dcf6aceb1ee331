import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { requirementIds } from '../specification/catalogue.js';
import { ownOptions, type OptionName } from './options.js';
import { parseCommandLine, requirementList } from './parse.js';
import { UsageProblem } from '../usage/usage-problem.js';

const names = Object.keys(ownOptions) as OptionName[];
const withValue = names.filter((name) => 'value' in ownOptions[name]);
const switches = names.filter((name) => !('value' in ownOptions[name]));

/** What a person may type as a value, without a dash at its beginning: it would be an option. */
const values = fc
  .string({ minLength: 1, maxLength: 20, unit: 'grapheme' })
  .filter((text) => !text.startsWith('-'));

const commandLines = fc.uniqueArray(
  fc.oneof(
    fc.tuple(fc.constantFrom(...withValue), values),
    fc.constantFrom(...switches).map((name): [OptionName, true] => [name, true]),
  ),
  { selector: ([name]) => name },
);

describe('the command line', () => {
  test('is the same with `=` and with a space, in any order', () => {
    fc.assert(
      fc.property(commandLines, (options) => {
        const inline = options.map(([name, value]) => (value === true ? `--${name}` : `--${name}=${value}`));
        const apart = options
          .toReversed()
          .flatMap(([name, value]) => (value === true ? [`--${name}`] : [`--${name}`, value]));
        expect(parseCommandLine(inline)).toEqual({ values: Object.fromEntries(options), vitest: [] });
        expect(parseCommandLine(apart)).toEqual(parseCommandLine(inline));
      }),
    );
  });

  test('keeps what is Vitest’s for Vitest, between options of ours', () => {
    const argv = [
      '--seed=3',
      '-t',
      'no key',
      '--bail=1',
      '--strict',
      '--reporter',
      'junit',
      '--outputFile.junit=a.xml',
    ];
    expect(parseCommandLine(argv)).toEqual({
      values: { seed: '3', strict: true },
      vitest: ['-t', 'no key', '--bail=1', '--reporter', 'junit', '--outputFile.junit=a.xml'],
    });
  });

  test.each([[['-t=AUTH-01']], [['-tAUTH-01']], [['-t', 'AUTH-01']]])('reads %s as Vitest does', (argv) => {
    expect(parseCommandLine(argv).vitest).toEqual(['-t', 'AUTH-01']);
  });

  test('may give a reporter more than once', () => {
    const argv = ['--reporter=junit', '--reporter=json'];
    expect(parseCommandLine(argv).vitest).toEqual(argv);
  });

  test('takes -h for --help', () => {
    expect(parseCommandLine(['-h']).values).toEqual({ help: true });
  });

  test('refuses a mistyped option, and names the nearest', () => {
    const options = fc.constantFrom(...names.filter((name) => name.length > 5));
    fc.assert(
      fc.property(options, fc.nat(), (name, at) => {
        const place = 1 + (at % (name.length - 1));
        const mistyped = `--${name.slice(0, place)}${name.slice(place + 1)}`;
        fc.pre(!names.includes(mistyped.slice(2) as OptionName));
        expect(() => parseCommandLine([mistyped])).toThrow(UsageProblem);
        expect(() => parseCommandLine([mistyped])).toThrow(/Did you mean --/);
      }),
    );
    expect(() => parseCommandLine(['--max-request=3'])).toThrow(
      'unknown option --max-request. Did you mean --max-requests?',
    );
  });

  test.each([
    [['--watch'], 'unknown option --watch.'],
    [['--pool=forks'], 'unknown option --pool.'],
    [['-x'], 'unknown option -x.'],
    [['staging'], 'unexpected argument staging'],
    [['--strict', 'staging'], 'unexpected argument staging'],
    [['--', 'staging'], 'unexpected argument staging'],
    [['--seed'], '--seed needs a value'],
    [['--seed='], '--seed needs a value'],
    [['--seed', '--strict'], '--seed needs a value'],
    [['--strict=yes'], '--strict takes no value'],
    [['--seed=1', '--seed=2'], '--seed is given twice'],
    [['--strict', '--strict'], '--strict is given twice'],
    [['-t'], '-t needs a value'],
    [['--bail'], '--bail needs a value'],
    [['--reporter', '--strict'], '--reporter needs a value'],
  ])('%j is refused: %s', (argv, message) => {
    expect(() => parseCommandLine(argv)).toThrow(UsageProblem);
    expect(() => parseCommandLine(argv)).toThrow(message);
  });

  test('does not repeat a key that follows an unknown option', () => {
    const problem = (): unknown => parseCommandLine(['--apikey=secret-of-ours']);
    expect(problem).toThrow('unknown option --apikey. Did you mean --api-key?');
    expect(problem).not.toThrow(/secret/);
  });
});

describe('a list of requirements', () => {
  test('takes every id, in any case, and every prefix up to a dash', () => {
    for (const id of requirementIds) {
      const group = id.replace(/-\d+$/, '');
      expect(requirementList('only', `${id}, ${id.toLowerCase()},${group}`)).toEqual([
        id,
        id.toLowerCase(),
        group,
      ]);
    }
  });

  test('is empty where the option is missing', () => {
    expect(requirementList('only', undefined)).toEqual([]);
  });

  test.each([
    ['AUTH-99', 'there is no requirement AUTH-99. Did you mean AUTH-'],
    ['LITS-02', 'Did you mean LIST-02?'],
    ['AUT', 'Did you mean AUTH?'],
    ['AUTH,CRAETE', '--only: there is no requirement CRAETE. Did you mean CREATE?'],
    [' , ', '--only names no requirement'],
  ])('refuses %j: %s', (text, message) => {
    expect(() => requirementList('only', text)).toThrow(UsageProblem);
    expect(() => requirementList('only', text)).toThrow(message);
  });
});
