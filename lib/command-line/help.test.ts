import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { helpText } from './help.js';
import { ownOptions } from './options.js';

const lines = helpText().trimEnd().split('\n');

test('the help fits a screen of 80 columns and 40 lines', () => {
  expect(lines.length).toBeLessThanOrEqual(40);
  expect(lines.filter((line) => stringWidth(line) > 80)).toEqual([]);
});

test('the help names every option, and every exit code', () => {
  for (const name of Object.keys(ownOptions)) expect(helpText()).toContain(`--${name}`);
  expect(lines.at(-1)).toMatch(/^Exit: 0 .* 1 .* 2 .* 3 /);
});
