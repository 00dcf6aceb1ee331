import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { count, duration, fromDifference, moment, requirementRanges } from './text.js';

const long = 'x'.repeat(300);

it('leaves texts alone whose difference can be seen, and equal ones', () => {
  expect(fromDifference('400', '422', 100)).toEqual(['400', '422']);
  expect(fromDifference(`a${long}`, `b${long}`, 100)).toEqual([`a${long}`, `b${long}`]);
  expect(fromDifference(long, long, 100)).toEqual([long, long]);
});

it('begins shortly before a difference that could not be seen', () => {
  const kept = 'x'.repeat(20);
  expect(fromDifference(`${long}é`, `${long}e`, 100)).toEqual([`…${kept}é`, `…${kept}e`]);
  expect(fromDifference(long, `${long} and more`, 100)).toEqual([`…${kept}`, `…${kept} and more`]);
});

it('never cuts a character in two', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '😺', 'é'), minLength: 60, maxLength: 90 });
  fc.assert(
    fc.property(text, fc.constantFrom('b', '🐶'), fc.constantFrom('c', '🐱'), (shared, one, other) =>
      fromDifference(shared + one, shared + other, 40).every((cut) => !/\p{Cs}/u.test(cut)),
    ),
  );
});

it.each([
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

it('counts agree with their nouns', () => {
  expect(count(1, 'request')).toBe('1 request');
  expect(count(1_000, 'request')).toBe('1,000 requests');
  expect(count(2, 'reply', 'replies')).toBe('2 replies');
});

it('a moment is in UTC', () => {
  expect(moment('2026-03-02T09:30:00.000Z')).toBe('2026-03-02 09:30:00 UTC');
});

it.each([
  [[], ''],
  [['AUTH-01'], 'AUTH-01'],
  [['AUTH-01', 'AUTH-02'], 'AUTH-01, AUTH-02'],
  [['AUTH-01', 'AUTH-02', 'AUTH-03', 'AUTH-05', 'LIST-06'], 'AUTH-01 to AUTH-03, AUTH-05, LIST-06'],
  [['LIST-09', 'LIST-10', 'LIST-11'], 'LIST-09 to LIST-11'],
])('writes %j as "%s"', (ids, text) => {
  expect(requirementRanges(ids)).toBe(text);
});
