import { expect, test } from 'vitest';
import { bytes, counted, duration, listed, moment } from './quantity.js';

const spaced = (text: string) => text.replaceAll('\u00A0', ' ');

test.each([
  [14.25, '14.3 ms'],
  [999, '999 ms'],
  [4_200, '4.2 s'],
  [60_000, '1 min'],
  [200_000, '3 min 20 s'],
  [6_000_000, '1 h 40 min'],
  [Number.NaN, 'unknown'],
])('%d ms are %s', (milliseconds, text) => {
  expect(spaced(duration(milliseconds))).toBe(text);
});

test('counts and lists read as sentences', () => {
  expect(counted(1, 'request')).toBe('1 request');
  expect(counted(1_000, 'request')).toBe('1,000 requests');
  expect(listed(['a', 'b', 'c'])).toBe('a, b and c');
  expect(spaced(bytes(5_000_000))).toBe('5 MB');
});

test('a moment is told in UTC, and a text that is none stays', () => {
  expect(moment('2026-03-02T09:30:00.000Z')).toBe('2 March 2026 at 09:30:00 UTC');
  expect(moment('soon')).toBe('soon');
});
