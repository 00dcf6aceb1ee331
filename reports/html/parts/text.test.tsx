import * as fc from 'fast-check';
import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { anyText } from '../../testing/sample-text.js';
import { Prose, TargetText } from './text.js';

const shown = (text: string, keepLayout = false) =>
  renderToString(<TargetText text={text} keepLayout={keepLayout} />);

test.each([
  ['an escape', '\u001b[2J', '\\x1b[2J'],
  ['a direction override', 'a\u202egpj.exe', 'a\\u202egpj.exe'],
  ['a lone surrogate', 'a\ud800b', 'a\\ud800b'],
  ['a line feed outside a pre', 'a\nb', 'a\\nb'],
  ['a family of emoji as it is', '👩‍👩‍👧 ❤️', '👩‍👩‍👧 ❤️'],
  ['Persian as it is', 'می‌خواهم', 'می‌خواهم'],
])('shows %s', (_, text, expected) => {
  expect(shown(text)).toBe(expected);
});

test('line feeds and tabs stay in a pre', () => {
  expect(shown('a\n\tb\u001b', true)).toBe('a\n\tb\\x1b');
});

test('nothing hidden is left, whatever the text', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(shown(text)).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Cs}]/u);
    }),
  );
});

test('a long text is cut between characters, and says by how much', () => {
  const html = renderToString(<TargetText text="ab😀" longest={3} />);
  expect(html).toBe('ab<i> … 2 characters left out …</i>');
});

test('backquotes mark code, and what is quoted is isolated', () => {
  expect(renderToString(<Prose text="`limit` is <1>" />)).toBe('<code>limit</code><bdi> is &lt;1></bdi>');
});
