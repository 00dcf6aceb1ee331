import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { longestText, nameExamples, petNameText } from './name-values.js';

/** Well-formed UTF-16: no surrogate without its other half (RFC 8259 8.2). */
function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

function isNameThatNobodyCanRefuse(text: string): boolean {
  const controls = /(?!\n)\p{Cc}/u.test(text);
  return isWellFormed(text) && !controls && text.trim() === text && text !== '' && text.length <= longestText;
}

describe('a drawn name', () => {
  it('is Unicode text without control characters, but for an inner newline, and without outer space', () => {
    fc.assert(
      fc.property(petNameText, (text) => isNameThatNobodyCanRefuse(text)),
      { numRuns: 2_000 },
    );
  });

  it('comes in many scripts, beyond the basic plane and decomposed', () => {
    const drawn = fc.sample(petNameText, { numRuns: 1_000, seed: 1 });
    const all = drawn.join('');
    for (const script of [
      'Latin',
      'Cyrillic',
      'Greek',
      'Arabic',
      'Hebrew',
      'Devanagari',
      'Thai',
      'Han',
      'Hangul',
    ]) {
      expect([script, new RegExp(`\\p{Script=${script}}`, 'u').test(all)]).toEqual([script, true]);
    }
    expect(drawn.some((text) => /[\u{10000}-\u{10ffff}]/u.test(text))).toBe(true);
    expect(drawn.some((text) => text.normalize('NFC') !== text)).toBe(true);
    expect(drawn.some((text) => text.includes('\n'))).toBe(true);
  });

  it('shrinks to little', () => {
    const { counterexample } = fc.check(
      fc.property(petNameText, (text) => !text.includes('\\')),
      {
        seed: 1,
        numRuns: 1_000,
      },
    );
    expect(counterexample?.[0].length).toBeLessThanOrEqual(6);
  });
});

describe('the examples of names', () => {
  it.each(nameExamples)('hold %j to the same', (text) => {
    expect(isNameThatNobodyCanRefuse(text)).toBe(true);
  });
});
