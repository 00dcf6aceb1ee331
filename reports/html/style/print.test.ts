import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../../testing/sample-text.js';
import { cssString } from './print.js';

test('no text leaves the string that stands in the style', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(cssString(text)).toMatch(/^"(?:[\w .,:()-]|\\[0-9a-f]+ )*"$/);
    }),
  );
});
