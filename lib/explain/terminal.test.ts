import { expect, it } from 'vitest';
import { terminalWidth } from './terminal.js';

it('is that of a terminal', () => {
  expect(terminalWidth({ isTTY: true, columns: 40 })).toBe(40);
});

it.each([{}, { isTTY: true, columns: 0 }, { isTTY: true }])('is none for %j', (stream) => {
  expect(terminalWidth(stream)).toBeUndefined();
});
