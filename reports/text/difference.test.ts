import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { differenceBetween, fromDifference } from './difference.js';

const quotation = fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text));

describe('the difference between expected and received', () => {
  test('is the one digit of a rounded 64-bit number', () => {
    expect(differenceBetween('9007199254740993', '9007199254740992')).toEqual({
      expected: { before: '900719925474099', own: '3', after: '' },
      received: { before: '900719925474099', own: '2', after: '' },
    });
  });

  test('never cuts a character in two', () => {
    expect(differenceBetween('"ab 👩‍👩‍👧 cd"', '"ab 👩‍👩‍👦 cd"')?.received.own).toBe('👩‍👩‍👦');
  });

  test('is that of a value, not of what is said about it', () => {
    expect(differenceBetween('"Zoë" for id 18', '"Zoe"')).toEqual({
      expected: { before: '"Zo', own: 'ë', after: '" for id 18' },
      received: { before: '"Zo', own: 'e', after: '"' },
    });
  });

  test.each([
    ['equal', '"Rex"', '"Rex"'],
    ['statuses', '401', '403'],
    ['a status and a response', '401', '403 {"code":"forbidden"}'],
    ['a sentence and another', 'at most 2 animals', 'at most 3 animals'],
    ['headers of two names', 'Sunset: Thu', 'Date: Thu'],
    ['a string and a number', '"12345"', '12345'],
    ['of little in common', '"abcdef"', '"uvwxyz"'],
  ])('is not told of what is no value, or not comparable: %s', (_, expected, received) => {
    expect(differenceBetween(expected, received)).toBeUndefined();
  });

  test('puts both texts together again', () => {
    fc.assert(
      fc.property(quotation, quotation, (expected, received) => {
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
