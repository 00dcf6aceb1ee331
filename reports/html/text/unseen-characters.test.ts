import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../../testing/any-text.js';
import { partsOf, visibleText } from './unseen-characters.js';

describe('unseen characters', () => {
  test.each([
    ['an escape', '\u001b[2J', '⟨U+001B⟩[2J'],
    ['a direction override', 'a\u202egpj.exe', 'a⟨U+202E⟩gpj.exe'],
    ['a zero-width space', 'a\u200bb', 'a⟨U+200B⟩b'],
    ['a lone surrogate', 'a\ud800b', 'a⟨U+D800⟩b'],
    ['a tag character', 'a\u{E0041}', 'a⟨U+E0041⟩'],
    ['a null', '\0', '⟨U+0000⟩'],
    ['a line feed outside a pre', 'a\nb', 'a⟨U+000A⟩b'],
  ])('%s is shown by name', (_, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  test.each([
    ['joined emoji', '👩‍👩‍👧 ❤️'],
    ['a Persian non-joiner', 'می‌خواهم'],
    ['right-to-left text', 'שלום'],
    ['combining marks', 'e\u0301'],
  ])('%s stays as it is', (_, text) => {
    expect(partsOf(text)).toEqual([{ text }]);
  });

  test('line feeds and tabs stay in a pre', () => {
    expect(partsOf('a\n\tb', { keepLayout: true })).toEqual([{ text: 'a\n\tb' }]);
  });

  test('nothing is lost and nothing unseen is left, whatever the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const parts = partsOf(text);
        const whole = parts
          .map((part) =>
            'text' in part ? part.text : String.fromCodePoint(Number.parseInt(part.codePoint.slice(2), 16)),
          )
          .join('');
        expect(whole).toBe(text);
        expect(visibleText(text)).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Cs}]/u);
      }),
    );
  });
});
