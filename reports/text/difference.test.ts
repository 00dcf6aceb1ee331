import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { differenceBetween, fromDifference } from './difference.js';

describe('the difference between expected and received', () => {
  test('is the one digit of a rounded 64-bit number', () => {
    expect(differenceBetween('9007199254740993', '9007199254740992')).toEqual({
      expected: { before: '900719925474099', own: '3', after: '' },
      received: { before: '900719925474099', own: '2', after: '' },
    });
  });

  test('never cuts a character in two', () => {
    expect(differenceBetween('ab 👩‍👩‍👧 cd', 'ab 👩‍👩‍👦 cd')?.received.own).toBe('👩‍👩‍👦');
  });

  test('is not told where the texts are equal or have little in common', () => {
    expect(differenceBetween('400', '400')).toBeUndefined();
    expect(differenceBetween('400 with an Error body', '201 {"id":44}')).toBeUndefined();
  });

  test('puts both texts together again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (expected, received) => {
        const difference = differenceBetween(expected, received);
        fc.pre(difference !== undefined);
        const whole = (part: { before: string; own: string; after: string } | undefined) =>
          part && part.before + part.own + part.after;
        expect(whole(difference?.expected)).toBe(expected);
        expect(whole(difference?.received)).toBe(received);
      }),
    );
  });
});

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
