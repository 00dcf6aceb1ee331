import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkCommandLine, invocationOf, commandOf, readCommandLine, wordsOf } from './command-line.js';
import { listOf, oneOf, onOff, option, text, wholeNumber } from './option.js';
import { UsageProblem } from '../explain/usage-problem.js';

const command = {
  name: 'test',
  operands: '[DIR…]',
  options: {
    baseUrl: option(text, 'URL'),
    apiKey: option(text, 'KEY', undefined, { secret: true }),
    maxRequests: option(wholeNumber(1, 100), 'N'),
    only: option(listOf(text), 'ID,…'),
    plan: option(oneOf(['free', 'pro']), 'PLAN'),
    target: option(text, 'NAME'),
    ca: option(text, 'FILE'),
    timeout: option(text),
    watch: option(text, 'PATH', undefined, { bare: '.' }),
    strict: onOff(),
    header: option(listOf(text, '\n'), 'H', undefined, { repeatable: true }),
  },
};
const { options } = command;
const alone = { name: command.name, options };

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
        expect(readCommandLine(inline, command)).toEqual({ typed: Object.fromEntries(given), operands: [] });
        expect(readCommandLine(apart, command)).toEqual(readCommandLine(inline, command));
      }),
    );
  });

  test('may have operands if they are expected', () => {
    expect(readCommandLine(['render', '--strict', 'DIR'], command)).toEqual({
      typed: { strict: true },
      operands: ['render', 'DIR'],
    });
  });

  test('takes the value of an option that stands alone, and each of one that may be repeated', () => {
    const read = (...argv: string[]): unknown => readCommandLine(argv, alone).typed;
    expect(read('--watch', '--strict')).toEqual({ watch: '.', strict: true });
    expect(read('--watch=src')).toEqual({ watch: 'src' });
    expect(checkCommandLine(['--header=a: b, c', '--header', 'd: e'], alone).values.header).toEqual([
      'a: b, c',
      'd: e',
    ]);
  });

  test.each([
    ['OLD NEW', ['a'], 'usage: npm run compare -- OLD NEW [options]; got a'],
    ['OLD NEW', ['a', 'b', 'c'], 'usage: npm run compare -- OLD NEW [options]; got a b c'],
    ['DIR…', [], 'usage: npm run compare -- DIR… [options]; got nothing'],
  ])('has operands as its description says: %s', (operands, argv, message) => {
    const described = { name: 'compare', operands, options };
    expect(() => readCommandLine(argv, described)).toThrow(message);
    expect(readCommandLine(['a', 'b'], { ...described, operands: 'A B' }).operands).toEqual(['a', 'b']);
  });

  test.each([
    [['--max-request=3'], 'unknown option --max-request. Did you mean --max-requests?'],
    [['--apikey=secret-of-ours'], /^unknown option --apikey. Did you mean --api-key\?$/],
    [['--strict.x=1'], 'unknown option --strict.x.'],
    [['--json'], /^unknown option --json\. See --help\.$/],
    [['-x'], 'unknown option -x.'],
    [['--strict', 'staging'], 'usage: npm test -- [options]; got staging'],
    [['--', 'staging'], 'usage: npm test -- [options]; got staging'],
    [['--plan'], '--plan needs a value'],
    [['--plan='], '--plan needs a value'],
    [['--plan', '--strict'], '--plan needs a value'],
    [['--strict=yes'], '--strict takes no value'],
    [['--plan=free', '--plan=pro'], '--plan is given twice'],
    [['--strict', '--strict'], '--strict is given twice'],
    [['--plan=gold'], '--plan must be one of free, pro; got "gold"'],
    [['--max-requests=0'], '--max-requests must be a whole number from 1 to 100; got 0'],
    [['--only= , '], '--only must be a list; got " , "'],
  ])('%j is refused: %s', (argv, message) => {
    expect(() => checkCommandLine(argv, alone)).toThrow(UsageProblem);
    expect(() => checkCommandLine(argv, alone)).toThrow(message);
  });

  test('is shown as a shell takes it, without any key', () => {
    const argv = ['--only= A , b', '--api-key=k', '--strict', "--base-url=an owner's"];
    expect(commandOf('npm test --', options, readCommandLine(argv, alone).typed)).toBe(
      String.raw`npm test -- --base-url='an owner'\''s' --api-key=*** --only=' A , b' --strict`,
    );
  });
});

describe('an option that npm kept for itself', () => {
  /** As npm 9, 10 and 11 set it. */
  const npm = {
    npm_config_user_agent: 'npm/11.19.1 node/v20.20.2 linux x64',
    npm_command: 'test',
    npm_config_yes: 'true',
    npm_config_cafile: '/etc/ssl/certs/ca-certificates.crt',
  };
  const read = (environment: Readonly<Record<string, string>>, ...argv: string[]) =>
    readCommandLine(argv, alone, environment);

  test.each([
    [{ npm_config_base_url: 'http://a:secret@localhost/v1' }, '--base-url'],
    [{ npm_config_target: 'staging', npm_config_strict: 'true' }, '--target, --strict'],
    [{ npm_config_api_key: 'a-secret', npm_command: 'run-script' }, '--api-key'],
    [{ npm_config_plan: 'true', npm_command: 'exec' }, '--plan'],
  ])('%j is refused, without its value', (kept, flags) => {
    // A value that npm passed on is not the mistake.
    const reading = () => read({ ...npm, ...kept }, 'free');
    expect(reading).toThrow(`npm kept ${flags} for itself: write " -- " before the options`);
    expect(reading).toThrow(/^(?!.*secret)/);
  });

  test.each([
    ['what npm itself sets', npm],
    ['a setting of an .npmrc for Electron', { ...npm, npm_config_target: '31.0.2' }],
    ['a time for downloads of an .npmrc', { ...npm, npm_config_timeout: '60000' }],
    ['a certificate of an .npmrc', { ...npm, npm_config_ca: '-----BEGIN CERTIFICATE-----' }],
    ['a switch that is off', { ...npm, npm_config_strict: '' }],
    ['pnpm', { ...npm, npm_config_user_agent: 'pnpm/9.1.0 npm/?', npm_config_target: 'a' }],
    ['no npm at all', { npm_config_target: 'a' }],
  ])('is not seen in %s', (_, environment) => {
    expect(read(environment, '--strict').typed).toEqual({ strict: true });
  });

  test('may leave its value behind', () => {
    expect(() => read(npm, 'free')).toThrow('usage: npm test -- [options]; got free');
  });
});

test.each([
  ['/project/scripts/dev.mjs', 'npm run report --'],
  ['/elsewhere/node_modules/.bin/petstore-conformance', 'npx petstore-conformance report'],
  ['/project/dist/scripts/petstore-conformance.js', 'npx petstore-conformance report'],
  ['', 'npm run report --'],
])('a report started by %s is called as %s', (program, called) => {
  const [node = '', started = ''] = process.argv;
  process.argv[1] = program;
  const invocation = invocationOf('report');
  process.argv.splice(0, 2, node, started);
  expect(invocation).toBe(called);
});

test('the words of a command are those that it was made of', () => {
  const options = { name: option(text), output: option(text) };
  const typed = fc
    .string({ minLength: 1, maxLength: 20, unit: 'grapheme' })
    .filter((value) => !value.startsWith('--'));
  fc.assert(
    fc.property(typed, typed, (name, output) => {
      const [program, ...argv] = wordsOf(commandOf('npx', options, { name, output }));
      expect(program).toBe('npx');
      expect(readCommandLine(argv, { name: 'npx', options }).typed).toEqual({ name, output });
    }),
  );
});

test('a header is shown unless it may be a credential', () => {
  const header = {
    header: option(listOf(text), undefined, undefined, { repeatable: true, secret: /token/i }),
  };
  expect(commandOf('npx', header, { header: 'X-Tenant: a\nX-Token: b' })).toBe(
    "npx --header='X-Tenant: a' --header=***",
  );
  expect(commandOf('npx', header, { header: ['X-Tenant: a'] })).toBe("npx --header='X-Tenant: a'");
});
