import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { commandOf, wordsOf } from './command-text.js';
import { readCommandLine } from './command-line.js';
import { listOf, option, text } from './option.js';

const options = { name: option(text), output: option(text) };

test('the words of a command are those that it was made of', () => {
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
