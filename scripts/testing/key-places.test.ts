import { expect, it } from 'vitest';
import { tracesOf } from './key-places.js';

const key = 'pets+Live/7xR=2m"Wv\\9<Kd&zT%41q+h/4=';

it.each([
  ['as it is', `Bearer ${key}`],
  ['in part', key.slice(2, 10)],
  ['in upper case', key.toUpperCase()],
  ['URL-encoded', encodeURIComponent(key)],
  ['as JSON', JSON.stringify({ key }).replaceAll('/', '\\u002f')],
  ['in base64', `"${btoa(key)}"`],
  ['in URL-safe base64', Buffer.from(key).toString('base64url')],
])('sees a key %s', (_, text) => {
  expect(tracesOf([key], `before ${text} behind`).length).toBeGreaterThan(0);
});

it('sees nothing in what stands for the key', () => {
  const text = 'Bearer $PETSTORE_API_KEY, [part of PETSTORE_API_KEY], [base64 of $PETSTORE_API_KEY], pets+Li';
  expect(tracesOf([key], text)).toEqual([]);
});
