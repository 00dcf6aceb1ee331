import * as fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { clip } from './clip.js';
import { logText, printable, printableDeep } from './printable.js';
import { hostileName } from '../../reports/testing/sample-exchanges.js';

const invisible =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\p{Cs}/u;

describe('printable text', () => {
  it.each([
    ['\u001b[31mred', '\\x1b[31mred'],
    ['a\r\nb\tc', 'a\\r\\nb\\tc'],
    ['\u202egpj.exe', '\\u202egpj.exe'],
    ['\u2066x\u2069', '\\u2066x\\u2069'],
    ['\u009b2J', '\\x9b2J'],
    ['\ud800', '\\ud800'],
    ['\u{e0041}', '\\u{e0041}'],
    ['a\u200bb', 'a\\u200bb'],
  ])('shows %j as %j', (text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  it.each([
    'Žofie',
    '日本語',
    'مرحبا',
    '👨‍👩‍👧',
    '🏳️‍🌈',
    '👍🏽',
    'می\u200cخواهم',
    'e\u0301',
    'back\\slash "quoted"',
    '§ ✗ ∀',
  ])('leaves %s as it is', (text) => {
    expect(printable(text)).toBe(text);
  });

  it('never lets a control, an override or a lone surrogate through', () => {
    const nasty = fc.constantFrom(
      '\u001b',
      '\u009b',
      '\u202e',
      '\u2067',
      '\u200d',
      '\ufeff',
      '\u2028',
      '\ud83d',
      '👩',
    );
    const anything = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));
    fc.assert(
      fc.property(anything, nasty, anything, (...parts) => !invisible.test(printable(parts.join('')))),
    );
  });

  it('reaches every string of a record', () => {
    const deep = printableDeep({ a: [{ name: hostileName }], n: 1, none: null, list: ['\u001b'] });
    expect(deep).toEqual({ a: [{ name: printable(hostileName) }], n: 1, none: null, list: ['\\x1b'] });
  });
});

describe('clipped text', () => {
  it('is as it was where it fits, and ends with an ellipsis where it does not', () => {
    expect(clip('fits', 4)).toBe('fits');
    expect(clip('does not', 4)).toBe('doe…');
    expect(clip('日本語日本語', 5)).toBe('日本…');
  });

  it('never takes more columns or more than four code units a column', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '日', '👨‍👩‍👧', '\u0301', ' '), maxLength: 200 });
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 40 }), (drawn, columns) => {
        const clipped = clip(drawn, columns);
        return stringWidth(clipped) <= columns && clipped.length <= columns * 4 + 1;
      }),
    );
  });
});

it.each([
  ['::error::x', ': :error::x'],
  ['   ::add-mask::x', '   : :add-mask::x'],
  ['a ##[group]b ##vso[x] ##teamcity[y]', 'a # #[group]b # #vso[x] # #teamcity[y]'],
  ['one\n::set-output', 'one\n: :set-output'],
  ['std::vector, ## heading', 'std::vector, ## heading'],
])('makes %j harmless', (line, harmless) => {
  expect(logText(line.split('\n'))).toBe(harmless);
});
