import { expect, test } from 'vitest';
import { addressOfRfc } from './section-reference.js';

test('an RFC and its section lead to the RFC editor', () => {
  expect(addressOfRfc('RFC 9110 15.5.2')).toBe('https://www.rfc-editor.org/rfc/rfc9110#section-15.5.2');
  expect(addressOfRfc('RFC 9745')).toBe('https://www.rfc-editor.org/rfc/rfc9745');
});

test.each(['4.1', 'RFC 9110 javascript:alert(1)', 'RFC 1"onclick=', ''])('%j leads nowhere', (part) => {
  expect(addressOfRfc(part)).toBeUndefined();
});
