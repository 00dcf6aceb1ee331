import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { credentialsFor } from '../http/exchange/credential.js';
import { redactionOf } from './redaction.js';

const printable = Array.from({ length: 0x7e - 0x21 + 1 }, (_, index) => String.fromCharCode(0x21 + index));
const keys = fc.string({ unit: fc.constantFrom(...printable), minLength: 12, maxLength: 48 });
const redactionFor = (key: string) => redactionOf(credentialsFor(key).secrets);

/** Eight consecutive characters of a key that stand in a text, in any case. */
function partsIn(text: string, key: string): string[] {
  const eights = Array.from({ length: key.length - 7 }, (_, at) => key.slice(at, at + 8).toLowerCase());
  return eights.filter((part) => text.toLowerCase().includes(part));
}

describe('what was received', () => {
  it('keeps no eight consecutive characters of a key, wherever they begin and in any case', () => {
    const places = fc.nat({ max: 47 });
    const echo = fc.tuple(keys, places, places, fc.constantFrom('as it is', 'upper', 'lower'));
    const surroundings = fc.string({ unit: fc.constantFrom('ä', '\0', ' '), maxLength: 20 });
    const law = fc.property(echo, surroundings, ([key, one, other, letters], around) => {
      const part = key.slice(Math.min(one, other), Math.max(one, other));
      const echoed =
        letters === 'upper' ? part.toUpperCase() : letters === 'lower' ? part.toLowerCase() : part;
      const redacted = redactionFor(key).received(`${around}${echoed}${around}`);
      expect(partsIn(redacted, key)).toEqual([]);
      expect(redacted.startsWith(around) && redacted.endsWith(around)).toBe(true);
    });
    fc.assert(law);
  });

  it('keeps what is shorter, and all that holds no key', () => {
    const { received } = redactionFor('pets_live_Q7xR2mWv');
    expect(received('refused pets_li, 7xR2mWv')).toBe('refused pets_li, 7xR2mWv');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(received(text)).toBe(text);
      }),
    );
    expect(redactionOf([]).received('anything')).toBe('anything');
  });

  it.each([
    ['refused Bearer pets_live_Q7xR2mWv', 'refused Bearer $PETSTORE_API_KEY'],
    ['pets_live_Q7… is unknown', '[part of PETSTORE_API_KEY]… is unknown'],
    ['İpets_live_Q7', 'İ[part of PETSTORE_API_KEY]'],
    ['***_q7xr2mwv', '***[part of PETSTORE_API_KEY]'],
    ['PETS_LIVE_Q7XR2MWV', '[part of PETSTORE_API_KEY]'],
    ['pets_live_x7xR2mWvx', '[part of PETSTORE_API_KEY]x7xR2mWvx'],
  ])('shows %s as %s', (text, shown) => {
    expect(redactionFor('pets_live_Q7xR2mWv').received(text)).toBe(shown);
  });

  it('joins parts that follow each other', () => {
    const { received } = redactionFor('aaaaaaaaaaaaaaab');
    expect(received('xaaaaaaaaaaZaaaaaaaa')).toBe('x[part of PETSTORE_API_KEY]Z[part of PETSTORE_API_KEY]');
    expect(redactionFor('abcdefgh_defghijk').received('abcdefghijk')).toBe('[part of PETSTORE_API_KEY]ijk');
  });

  // What takes the square of a text's length does not get through this within a test's time.
  it.each(['\\', 'p', 'pets_liv', 'pets_li', 'P%25'])(
    'is read in linear time: two megabytes of %s',
    (unit) => {
      const { received } = redactionFor('pets_live_Q7xR2mWv'.repeat(50));
      expect(received(unit.repeat(2_000_000 / unit.length))).not.toContain('pets_live');
    },
  );
});

describe('the whole key', () => {
  const spellings: ReadonlyArray<readonly [name: string, spell: (key: string) => string]> = [
    ['as it is', (key) => key],
    ['URL-encoded', encodeURIComponent],
    [
      'URL-encoded in lower case',
      (key) => encodeURIComponent(key).replace(/%../g, (code) => code.toLowerCase()),
    ],
    ['as a JSON string', (key) => JSON.stringify(key).slice(1, -1)],
    [
      'as a JSON string with escaped slashes',
      (key) => JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/'),
    ],
    ['in escapes of JSON', (key) => key.replace(/[a-z]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`)],
    ['in base64', (key) => Buffer.from(key).toString('base64')],
    ['in base64 without padding', (key) => Buffer.from(key).toString('base64').replace(/=+$/, '')],
    ['in URL-safe base64', (key) => Buffer.from(key).toString('base64url')],
    ['as the user of Basic', (key) => Buffer.from(`${key}:`).toString('base64')],
  ];

  it.each(spellings)('is replaced %s, in what was received and in sentences', (_, spell) => {
    const law = fc.property(keys, (key) => {
      const redaction = redactionFor(key);
      const spelt = spell(key);
      for (const redact of [redaction, redaction.received]) {
        const redacted = redact(`refused Bearer ${spelt} <`);
        expect(redacted).not.toContain(spelt);
        expect(redacted).toMatch(/^refused Bearer .*PETSTORE_API_KEY.* <$/);
      }
    });
    fc.assert(law, { numRuns: 30 });
  });

  it('leaves JSON what was JSON', () => {
    // Of the characters that a token may have (RFC 6750 2.1), JSON escapes none.
    const tokens = fc.stringMatching(/^[\w.~+/-]{12,40}={0,2}$/);
    const law = fc.property(tokens, fc.string(), (key, text) => {
      const body = JSON.stringify({ [`${text}${key}`]: `${text}${key.slice(1)}`, basic: btoa(`${key}:`) });
      expect(
        () => JSON.parse(redactionFor(key).received(body.replaceAll('/', '\\/'))) as unknown,
      ).not.toThrow();
    });
    fc.assert(law);
  });

  it('is shown by the name of its variable, and in another key as that key', () => {
    const redact = redactionOf([
      ['first_key_1234', '$FIRST'],
      ['first_key_1234_and_more', '$SECOND'],
    ]);
    expect(redact('first_key_1234 first_key_1234_and_more')).toBe('$FIRST $SECOND');
  });

  it('that is shorter than eight characters is replaced as a word of its own', () => {
    const redact = redactionFor('test');
    expect(redact('the latest {"key":"test"}')).toBe('the latest {"key":"$PETSTORE_API_KEY"}');
  });
});

describe('the words of the suite', () => {
  const sentences =
    'the business plan, --plan=business, available, X-RateLimit-Remaining, Authorization, enterprise';

  it.each([
    'business-key-1234',
    'my-enterprise-key',
    'pets-available-77',
    'x-ratelimit-remaining',
    'authorization1',
  ])('stay whole with the key %s, in sentences and in what was received', (key) => {
    const own = sentences.replace(RegExp(`\\b${key}\\b`, 'i'), '');
    expect(redactionFor(key)(own)).toBe(own);
    expect(redactionFor(key).received(own)).toBe(own);
    const repeated = redactionFor(key);
    repeated.received(`unknown key ${key.slice(0, -1)}, ${key.slice(1)}`);
    expect(repeated(own)).toBe(own);
    expect(repeated.whole(own)).toBe(own);
  });

  it('stay whole with any key that contains them', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 9 }), fc.string({ minLength: 1, maxLength: 9 }), (before, after) => {
        fc.pre(!' of the target'.startsWith(after));
        const redact = redactionFor(`${before}response${after}`);
        expect(redact('the response of the target')).toBe('the response of the target');
      }),
    );
  });

  it('lose what was received of a key before, as they may quote it', () => {
    const redact = redactionFor('pets_live_Q7xR2mWv');
    expect(redact('received pets_live_Q7')).toBe('received pets_live_Q7');
    redact.received('unknown: pets_live_Q7');
    expect(redact('received pets_live_Q7')).toBe('received [part of PETSTORE_API_KEY]');
  });
});
