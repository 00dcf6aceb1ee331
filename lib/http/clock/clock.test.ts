import { expect, test } from 'vitest';
import { parseTimestamp, systemClock, timestamp } from './clock.js';

test('a timestamp keeps microseconds, and Date.parse reads it', () => {
  const moment = Date.UTC(2026, 10, 22, 6, 59, 58, 123) + 0.456;
  expect(timestamp(moment)).toBe('2026-11-22T06:59:58.123456Z');
  expect(Date.parse(timestamp(moment))).toBe(Math.floor(moment));
  expect(parseTimestamp(timestamp(moment))).toBeCloseTo(moment, 3);
});

test('a timestamp rounds to the next whole second without overflowing its fraction', () => {
  expect(timestamp(Date.UTC(2026, 0, 1) - 0.0001)).toBe('2026-01-01T00:00:00.000000Z');
});

test('the system clock tells fractions of milliseconds and never goes back', () => {
  const times = Array.from({ length: 1_000 }, () => systemClock.now());
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  expect(times.some((time) => !Number.isInteger(time))).toBe(true);
  expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1_000);
});
