import { expect, test } from 'vitest';
import { didYouMean } from './nearest-name.js';

test('the nearest name is asked for, in any case', () => {
  expect(didYouMean('JUNTI', ['html', 'junit', 'har'])).toBe(' Did you mean junit?');
  expect(didYouMean('auth-1', ['AUTH-01', 'LIST-01'])).toBe(' Did you mean AUTH-01?');
});

test('where there is no name, nothing is asked', () => {
  expect(didYouMean('staging', [])).toBe('');
});
