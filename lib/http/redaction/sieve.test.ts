import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sieveFor } from './sieve.js';

const ascii = fc.string({ unit: fc.integer({ min: 0, max: 0x7f }).map((code) => String.fromCharCode(code)) });
const sought = fc.array(
  ascii.filter((text) => text !== ''),
  { minLength: 1, maxLength: 6 },
);

describe('the sieve', () => {
  it('overlooks none of those that a text holds, in any case and either alphabet', () => {
    fc.assert(
      fc.property(sought, ascii, ascii, fc.nat(), (texts, before, after, which) => {
        const text = texts[which % texts.length] ?? '';
        const mayHold = sieveFor(texts);
        for (const spelt of [
          text,
          text.toUpperCase(),
          text.toLowerCase(),
          text.replaceAll('+', '-').replaceAll('/', '_'),
        ])
          expect(mayHold(`${before}${spelt}${after}`)).toBe(true);
      }),
    );
  });

  it('says of the others that they hold none', () => {
    const mayHold = sieveFor(['pets_live_Q7xR2mWv', 'xets_live_Q7xR2mWv', 'cGV0c19saXZlX1E3eFIybVd2']);
    expect(mayHold('{"code":"unauthorized","message":"The key is unknown: pets_live.","status":401}')).toBe(
      false,
    );
    expect(mayHold('what holds Q7XR2mwv alone')).toBe(true);
  });

  it('says of both alphabets where one has no piece that they write alike', () => {
    const mayHold = sieveFor(['pet+key/R2_mW-v9']);
    expect(mayHold('pet-key_R2/mW+v9')).toBe(true);
    expect(mayHold('pet key R2 mW v9')).toBe(false);
  });

  it('says nothing where one is beyond ASCII, whose cases are other ones', () => {
    expect(sieveFor(['key-\u00b5'])('nothing of it')).toBe(true);
  });
});
