import { readFileSync } from 'node:fs';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { factsOf, flagOf } from './options-schema.js';
import { commandLineOptions, helpText } from './command-line-options.js';
import { programOptions } from './run-options.js';

const lines = helpText().trimEnd().split('\n');

test('the help fits a screen of 80 columns and 50 lines', () => {
  expect(lines.length).toBeLessThanOrEqual(50);
  expect(lines.filter((line) => stringWidth(line) > 80)).toEqual([]);
});

/** What the help need not say: a short name stands there, and nobody is invited to type a key. */
const unnamed: ReadonlySet<string> = new Set(['testNamePattern', 'apiKey']);

test('the help names every other option, and every exit code', () => {
  const named = Object.keys(commandLineOptions).filter((name) => !unnamed.has(name));
  for (const name of named) expect(helpText()).toContain(`--${flagOf(commandLineOptions, name)}`);
  expect(lines.at(-1)).toMatch(/^Exit: 0 .* 1 .* 2 .* 3 /);
});

test('every variable of a target stands in .env.example', () => {
  const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
  const variables = Object.keys(programOptions).flatMap(
    (name) => factsOf(programOptions, name).variable ?? [],
  );
  expect(variables).toContain('API_KEY');
  for (const variable of variables) {
    expect(example).toMatch(new RegExp(`^(STAGING|PRODUCTION)_${variable}=`, 'm'));
  }
});
