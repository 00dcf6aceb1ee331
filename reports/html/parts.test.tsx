import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { Command, Prose } from './parts.js';

test('backquotes mark code, and what is quoted is isolated', () => {
  expect(renderToString(<Prose text="`limit` is <1>" />)).toBe('<code>limit</code><bdi> is &lt;1></bdi>');
});

test('a command is whole, or said to be too long', () => {
  expect(renderToString(<Command text={'x'.repeat(8_000)} />)).toContain('x'.repeat(8_000));
  expect(renderToString(<Command text={'x'.repeat(8_001)} />)).toContain('A command of 8,001 characters');
});
