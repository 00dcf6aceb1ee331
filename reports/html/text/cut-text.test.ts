import { expect, test } from 'vitest';
import { cutText } from './cut-text.js';

test('a text is never cut inside a code point', () => {
  expect(cutText('ab😀', 3)).toEqual({ shown: 'ab', leftOut: 2 });
  expect(cutText('ab😀', 4)).toEqual({ shown: 'ab😀', leftOut: 0 });
});
