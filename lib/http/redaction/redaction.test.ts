import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { credentialsFor } from '../exchange/credential.js';
import { redactionOf } from './redaction.js';

const printable = Array.from({ length: 0x7e - 0x21 + 1 }, (_, index) => String.fromCharCode(0x21 + index));
const keys = fc.string({ unit: fc.constantFrom(...printable), minLength: 20, maxLength: 48 });
/** A pattern is made for each key, which takes its time. */
const numRuns = 20;
const redactOf = (key: string) => redactionOf(credentialsFor(key).secrets);

const escapedInFull = (text: string, escape: (hexadecimal: string, code: number) => string): string =>
  Array.from(text, (one) => escape(one.charCodeAt(0).toString(16), one.charCodeAt(0))).join('');

/** How a service may spell what it was sent. */
const spellings: ReadonlyArray<readonly [name: string, spell: (key: string) => string]> = [
  ['as it is', (key) => key],
  ['in upper case', (key) => key.toUpperCase()],
  ['in lower case', (key) => key.toLowerCase()],
  ['without its last character', (key) => key.slice(0, -1)],
  ['without its first character', (key) => key.slice(1)],
  ['URL-encoded', encodeURIComponent],
  ['URL-encoded in lower case', (key) => encodeURIComponent(key).toLowerCase()],
  ['URL-encoded twice', (key) => encodeURIComponent(encodeURIComponent(key))],
  ['as a form field', (key) => new URLSearchParams([['k', key]]).toString().slice(2)],
  ['as JSON', (key) => JSON.stringify(key).slice(1, -1)],
  ['as JSON within JSON', (key) => JSON.stringify(JSON.stringify(key)).slice(3, -3)],
  ['as JSON with escaped slashes', (key) => JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/')],
  [
    'as JSON with every character escaped',
    (key) => escapedInFull(key, (hexadecimal) => `\\u00${hexadecimal}`),
  ],
  [
    'as HTML',
    (key) =>
      key.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&#34;').replaceAll("'", '&#x27;'),
  ],
  ['as HTML with every character escaped', (key) => escapedInFull(key, (_, code) => `&#${code};`)],
  ['in UTF-16', (key) => Buffer.from(key, 'utf16le').toString('latin1')],
  ['in hexadecimal', (key) => Buffer.from(key).toString('hex')],
  ['in hexadecimal in upper case', (key) => Buffer.from(key).toString('hex').toUpperCase()],
  ['in base64', (key) => Buffer.from(key).toString('base64')],
  ['in URL-safe base64', (key) => Buffer.from(key).toString('base64url')],
  ['in URL-encoded base64', (key) => encodeURIComponent(Buffer.from(key).toString('base64'))],
  ['as the user of Basic', (key) => Buffer.from(`${key}:`).toString('base64')],
  ['in base64 behind one character', (key) => Buffer.from(`(${key})`).toString('base64')],
  ['in base64 behind two characters', (key) => Buffer.from(`("${key}")`).toString('base64')],
];

describe('what replaces the key', () => {
  it.each(spellings)('leaves nothing of a key %s', (_, spell) => {
    fc.assert(
      fc.property(keys, (key) => {
        const spelt = spell(key);
        const redacted = redactOf(key)(`refused Bearer ${spelt} <`);
        // At either end of base64 a group may hold a character of the key beside one of its surroundings.
        expect(redacted).not.toContain(spelt.slice(8, -8));
        expect(redacted).toContain('PETSTORE_API_KEY');
        expect(redacted.startsWith('refused Bearer ') && redacted.endsWith(' <')).toBe(true);
      }),
      { numRuns },
    );
  });

  it('names each near miss by what makes it', () => {
    const redact = redactOf('pets_live_Q7xR2mWv');
    expect(redact('pets_live_Q7xR2mWv')).toBe('$PETSTORE_API_KEY');
    expect(redact('pets_live_Q7xR2mW')).toBe('$PETSTORE_API_KEY[without its last character]');
    expect(redact('PETS_LIVE_Q7XR2MWV')).toBe('$PETSTORE_API_KEY[in upper case]');
    expect(redact('ets_live_Q7xR2mWv')).toBe('$PETSTORE_API_KEY[without its first character]');
    expect(redact('pets_live_Q7xR2mWvx')).toBe('$PETSTORE_API_KEY[with one character added]');
    expect(redact('pets%5flive%5FQ7xR2mWv')).toBe('$PETSTORE_API_KEY');
  });

  it('keeps JSON what was JSON', () => {
    fc.assert(
      fc.property(keys, fc.string(), (key, text) => {
        const body = JSON.stringify({
          message: `${text}${key}${text}`,
          basic: Buffer.from(`${key}:`).toString('base64'),
        });
        expect(() => JSON.parse(redactOf(key)(body)) as unknown).not.toThrow();
      }),
      { numRuns },
    );
  });

  it('replaces eight or more of the first or last characters of a key, as services print them', () => {
    const redact = redactOf('pets_live_Q7xR2mWv');
    expect(redact('refused Bearer pets_live_Q7')).toBe('refused Bearer [part of PETSTORE_API_KEY]');
    expect(redact('pets_live_Q7… is unknown')).toBe('[part of PETSTORE_API_KEY]… is unknown');
    expect(redact('***_q7xr2mwv')).toBe('***[part of PETSTORE_API_KEY]');
    expect(redact('refused pets_li, 7xR2mWv')).toBe('refused pets_li, 7xR2mWv');
    expect(redact('pets_loves_Q7xR2mW')).toBe('pets_loves_Q7xR2mW');
  });

  it('knows it behind what looks like the beginning, too', () => {
    const redact = redactOf('aaaaaaaaaaaaaaab');
    expect(redact(`cut off ${'a'.repeat(12)}`)).toBe('cut off [part of PETSTORE_API_KEY]');
    expect(redact('xaaaaaaaaaaZaaaaaaaa')).toBe('x[part of PETSTORE_API_KEY]Z[part of PETSTORE_API_KEY]');
  });

  // A key may be a token of a thousand characters; what tries each length of each near miss takes minutes for a run.
  it('gets through 200 texts with a key of 2,000 characters', () => {
    const redact = redactOf(Array.from({ length: 2_000 }, (_, at) => printable[(at * at * 7) % 90]).join(''));
    const text = 'x'.repeat(5_000);
    for (let times = 0; times < 200; times += 1) expect(redact(text)).toBe(text);
  });

  it('tells several keys apart', () => {
    const redact = redactionOf([
      ['first_key_1234', '$FIRST'],
      ['second_key_5678', '$SECOND'],
    ]);
    expect(redact('first_key_1234 second_key_5678')).toBe('$FIRST $SECOND');
  });

  it('knows a key that is a common word behind a scheme alone', () => {
    const redact = redactOf('test');
    expect(redact('the latest test')).toBe('the latest test');
    expect(redact('{"debug":"Bearer test"}')).toBe('{"debug":"Bearer $PETSTORE_API_KEY"}');
    expect(redact('bearer tes, Token TEST')).toBe(
      'bearer $PETSTORE_API_KEY[without its last character], Token $PETSTORE_API_KEY[in upper case]',
    );
    expect(redact('Bearer tests="of", Bearer test="of"')).toBe('Bearer tests="of", Bearer test="of"');
  });

  it.each([
    ['as they are', (text: string) => text],
    ['in JSON', (text: string) => JSON.stringify(text)],
    ['folded', (text: string) => text.replaceAll('\r\n', '\n')],
  ])('finds base64 that is broken into lines, %s', (_, spell) => {
    fc.assert(
      fc.property(keys, fc.integer({ min: 0, max: 80 }), (key, before) => {
        const lines = Buffer.from(`${'x'.repeat(before)}(${key}`)
          .toString('base64')
          .replaceAll(/.{76}/g, '$&\r\n');
        const redacted = redactOf(key)(spell(lines));
        expect(redacted).toMatch(/\[base64 of .*PETSTORE_API_KEY/);
      }),
      { numRuns },
    );
  });

  it('leaves alone what holds no key', () => {
    const redact = redactOf('pets_live_Q7xR2mWv');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(redact(text)).toBe(text);
      }),
    );
    expect(redactionOf([])('anything')).toBe('anything');
  });

  it.each([32_740, 32_760, 32_768])('knows a key behind %d characters, at the end of a portion', (before) => {
    const spelt = '&#112;ets%5flive\\u005fQ7xR2mWv';
    const text = `${' '.repeat(before)}${spelt}${' '.repeat(9_000)}`;
    expect(redactOf('pets_live_Q7xR2mWv')(text)).toBe(text.replace(spelt, () => '$PETSTORE_API_KEY'));
  });

  // What takes the square of a text's length does not get through this within a test's time.
  it.each(['\\', '%', '&', 'p', 'P\\', '%25'])('gets through half a million characters of %s', (unit) => {
    const text = unit.repeat(500_000 / unit.length);
    expect(redactOf('pets_live_Q7xR2mWv')(text)).toBe(text);
  });
});
