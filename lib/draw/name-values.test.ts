import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { longestText, nameExamples, nameLengths, nameOfLength, petNameText } from './values.js';

/** Well-formed UTF-16: no surrogate without its other half (RFC 8259 8.2). */
function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

function isNameThatNobodyCanRefuse(text: string): boolean {
  const controls = /(?!\n)\p{Cc}/u.test(text);
  return isWellFormed(text) && !controls && text.trim() === text && text !== '' && text.length <= longestText;
}

describe('a drawn name', () => {
  it('is Unicode text without control characters and outer space', () => {
    fc.assert(
      fc.property(petNameText, (text) => isNameThatNobodyCanRefuse(text)),
      { numRuns: 2_000 },
    );
  });

  it('comes in many scripts, beyond the basic plane and decomposed', () => {
    const drawn = fc.sample(petNameText, { numRuns: 1_000, seed: 1 });
    for (const some of [
      /\p{Script=Latin}/u,
      /\p{Script=Arabic}/u,
      /\p{Script=Han}/u,
      /[\u{10000}-\u{10ffff}]/u,
    ])
      expect([some, drawn.some((text) => some.test(text))]).toEqual([some, true]);
    expect(drawn.some((text) => text.normalize('NFC') !== text)).toBe(true);
  });

  it('shrinks to little', () => {
    const asBytes = (text: string): boolean => Buffer.byteLength(text) < 4;
    const { counterexample } = fc.check(fc.property(petNameText, asBytes), { seed: 1, numRuns: 1_000 });
    expect(counterexample?.[0].length).toBeLessThanOrEqual(3);
  });
});

it.each(nameExamples)('the example %j is a name that nobody can refuse', (text) => {
  expect(isNameThatNobodyCanRefuse(text)).toBe(true);
});

describe('the examples of names in older encodings', () => {
  it.each([
    ['Latin-1', /^[\u0020-\u00ff]*[\u00a0-\u00ff][\u0020-\u00ff]*$/],
    ['Cyrillic', /^[\u0020-\u007e\u0410-\u044f]*[\u0410-\u044f][\u0020-\u007e\u0410-\u044f]*$/],
  ])('hold one that fits into %s, and is beyond ASCII', (_encoding, fits) => {
    expect(nameExamples.some((text) => fits.test(text))).toBe(true);
  });
});

describe('a name of a length', () => {
  const own = 'pc1jkywag CREATE-13 12';

  it('begins with its own text, and has as many bytes or a few more', () => {
    for (const length of nameLengths) {
      const name = nameOfLength(own, length);
      expect(name.startsWith(`${own} `)).toBe(true);
      const more = Buffer.byteLength(name) - length[0];
      expect(more >= 0 && more < Buffer.byteLength(length[1])).toBe(true);
    }
  });

  it.each([64, 100, 128, 255, 256])('is beyond %i in characters, and elsewhere in bytes alone', (bound) => {
    const names = nameLengths.map((length) => nameOfLength(own, length));
    expect(names.some((name) => name.length === bound + 1 && Buffer.byteLength(name) === bound + 1)).toBe(
      true,
    );
    expect(names.some((name) => Array.from(name).length <= bound && Buffer.byteLength(name) > bound)).toBe(
      true,
    );
  });
});
