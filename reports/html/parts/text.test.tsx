import * as fc from 'fast-check';
import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { anyText } from '../../testing/sample-text.js';
import { Prose, TargetText } from './text.js';

const shown = (text: string, keepLayout = false) =>
  renderToString(<TargetText text={text} keepLayout={keepLayout} />).replaceAll(/<[^>]+>/g, '|');

test.each([
  ['an escape by name', '\u001b[2J', '|U+001B|[2J'],
  ['a direction override by name', 'a\u202egpj.exe', 'a|U+202E|gpj.exe'],
  ['a lone surrogate by name', 'a\ud800b', 'a|U+D800|b'],
  ['a line feed outside a pre by name', 'a\nb', 'a|U+000A|b'],
  ['a family of emoji as it is', '👩‍👩‍👧 ❤️', '👩‍👩‍👧 ❤️'],
  ['Persian as it is', 'می‌خواهم', 'می‌خواهم'],
])('shows %s', (_, text, expected) => {
  expect(shown(text)).toBe(expected);
});

test('line feeds and tabs stay in a pre', () => {
  expect(shown('a\n\tb', true)).toBe('a\n\tb');
});

test('nothing hidden is left, whatever the text', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(shown(text)).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Cs}]/u);
    }),
  );
});

test('of a text of hidden characters the first two hundred are named', () => {
  expect(shown('\u202e'.repeat(1_000)).match(/U\+202E/g)).toHaveLength(200);
  expect(shown('\u202e'.repeat(1_000))).toContain('800 characters left out');
});

test('a long text is cut between characters, and says by how much', () => {
  const html = renderToString(<TargetText text="ab😀" longest={3} />);
  expect(html).toBe('ab<i> … 2 characters left out …</i>');
});

test('backquotes mark code, and what is quoted is isolated', () => {
  expect(renderToString(<Prose text="`limit` is <1>" />)).toBe('<code>limit</code><bdi> is &lt;1></bdi>');
});
