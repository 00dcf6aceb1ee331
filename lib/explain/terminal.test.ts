import { expect, it } from 'vitest';
import { drawingWidth, terminalWidth } from './terminal.js';

it('is that of a terminal', () => {
  expect(drawingWidth({ isTTY: true, columns: 40 })).toBe(40);
  expect(terminalWidth({ isTTY: true, columns: 40 })).toBe(40);
});

it.each([{}, { isTTY: true, columns: 0 }, { isTTY: true }])(
  'is 80 for %j, which nothing is drawn on',
  (stream) => {
    expect(drawingWidth(stream)).toBeUndefined();
    expect(terminalWidth(stream)).toBe(80);
  },
);
