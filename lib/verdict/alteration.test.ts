import { expect, it } from 'vitest';
import { alterationOf } from './alteration.js';

it.each([
  ['Zoë & <b>', 'Zoë &amp; &lt;b&gt;', 'HTML-escaped'],
  ["O'Neill", 'O&#39;Neill', 'HTML-escaped'],
  ['a "b"', String.raw`a \"b\"`, 'JSON-escaped'],
  [' Rex ', 'Rex', 'trimmed'],
  ['a  b', 'a b', 'with its spaces folded'],
  ['Zoë', 'ZoÃ«', 'read as Latin-1'],
  ['e\u0301', 'é', 'in another Unicode normal form'],
  ['Rex', 'rex', 'in lower case'],
  ['Rex the second', 'Rex the', 'cut off'],
  [2n ** 53n + 1n, 2n ** 53n, 'rounded as a double'],
  [2n ** 63n - 1n, 9223372036854776000n, 'rounded as a double'],
  [2n ** 32n + 1n, 1, 'cut to its lower 32 bits'],
])('tells what was done to %s', (sent, shown, phrase) => {
  expect(alterationOf(sent, shown)).toBe(phrase);
});

it.each([
  ['Rex', 'Max'],
  ['Rex', ''],
  ['Rex', 7],
  [7n, 8n],
  ['Rex', undefined],
])('claims nothing of what has no usual reason: %s, %s', (sent, shown) => {
  expect(alterationOf(sent, shown)).toBeUndefined();
});
