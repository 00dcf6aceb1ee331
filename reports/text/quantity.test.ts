import { expect, test } from 'vitest';
import { count, duration, moment } from './quantity.js';

test.each([
  [14.25, '14.3 ms'],
  [999, '999 ms'],
  [4_200, '4.2 s'],
  [60_000, '1 min'],
  [200_000, '3 min 20 s'],
  [6_000_000, '1 h 40 min'],
  [Number.NaN, 'unknown'],
])('%d ms are %s', (milliseconds, text) => {
  expect(duration(milliseconds)).toBe(text);
});

test('counts agree with their nouns', () => {
  expect(count(1, 'request')).toBe('1 request');
  expect(count(1_000, 'request')).toBe('1,000 requests');
  expect(count(2, 'reply', 'replies')).toBe('2 replies');
});

test('a moment is in UTC', () => {
  expect(moment('2026-03-02T09:30:00.000Z')).toBe('2026-03-02 09:30:00 UTC');
});
