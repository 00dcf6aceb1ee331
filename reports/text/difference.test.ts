import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromDifference } from './difference.js';

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
