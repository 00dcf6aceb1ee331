import { readFileSync } from 'node:fs';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { HelpAsked, readCommandLine } from './command-line.js';
import { variableOf } from './sources.js';
import { flagOf } from './option.js';
import { commandLineOptions, conformanceCommand, targetOptions } from './run-options.js';

function helpText(): string {
  try {
    readCommandLine(['--help'], conformanceCommand);
  } catch (error) {
    if (error instanceof HelpAsked) return error.message;
  }
  throw new Error('no help');
}

const lines = helpText().trimEnd().split('\n');

test('the help fits 80 columns', () => {
  expect(lines.filter((line) => stringWidth(line) > 80)).toEqual([]);
});

/** What the help need not say: nobody is invited to type a key. */
const unnamed: ReadonlySet<string> = new Set(['apiKey']);

test('the help names every other option, and every exit code', () => {
  const named = Object.keys(commandLineOptions).filter((name) => !unnamed.has(name));
  for (const name of named) expect(helpText()).toContain(flagOf(commandLineOptions, name));
  expect(lines.at(-1)).toMatch(/^Exit: 0 .* 1 .* 2 .* 3 /);
});

test('every variable of a target stands in .env.example', () => {
  const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
  const variables = Object.keys(targetOptions).map((name) => variableOf('', name));
  expect(variables.length).toBeGreaterThan(10);
  for (const variable of variables)
    expect(example).toMatch(new RegExp(`^(STAGING|PRODUCTION)${variable}=`, 'm'));
});
