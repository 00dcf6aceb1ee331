import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { commandOf, wordsOf } from './command-text.js';
import { readCommandLine } from './command-line.js';
import { option, text } from './options-schema.js';

const options = { name: option(text, {}), output: option(text, {}) };

test('the words of a command are those that it was made of', () => {
  const typed = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' });
  fc.assert(
    fc.property(typed, typed, (name, output) => {
      const [program, ...argv] = wordsOf(commandOf('npx', options, { name, output }));
      expect(program).toBe('npx');
      expect(readCommandLine(argv, options).typed).toEqual({ name, output });
    }),
  );
});
