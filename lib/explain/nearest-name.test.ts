import { expect, test } from 'vitest';
import { didYouMean } from './nearest-name.js';

test('the nearest name is suggested, in any case', () => {
  expect(didYouMean('JUNTI', ['html', 'junit', 'har'])).toBe(' Did you mean junit?');
  expect(didYouMean('auth-1', ['AUTH-01', 'LIST-01'])).toBe(' Did you mean AUTH-01?');
});

test('a name that is not near is not suggested', () => {
  expect(didYouMean('--json', ['--plan', '--seed'])).toBe('');
  expect(didYouMean('production', ['reference', 'staging'])).toBe('');
  expect(didYouMean('staging', [])).toBe('');
});
