import { expect, it } from 'vitest';
import { tracesOf } from './key-places.js';

const key = 'pets+Live/7xR=2m"Wv\\9<Kd&zT%41q+h/4=';

it.each([
  ['as it is', `Bearer ${key}`],
  ['without its ends', key.slice(2, -2)],
  ['in upper case', key.toUpperCase()],
  ['URL-encoded', encodeURIComponent(key)],
  ['URL-encoded twice', encodeURIComponent(encodeURIComponent(key))],
  ['in JSON within JSON', JSON.stringify(JSON.stringify({ key }))],
  ['in HTML', key.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')],
  ['in base64', `"${btoa(`${key}:`)}"`],
  ['in base64 behind other bytes', `"${btoa(`ab${key}:`)}"`],
  ['in URL-safe base64', Buffer.from(key).toString('base64url')],
  ['in UTF-16 in base64', Buffer.from(key, 'utf16le').toString('base64')],
])('sees a key %s', (_, text) => {
  expect(tracesOf([key], `before ${text} behind`).length).toBeGreaterThan(0);
});

it('sees nothing in what stands for the key', () => {
  const text =
    'Bearer $PETSTORE_API_KEY, $PETSTORE_API_KEY[in upper case], [base64 of $PETSTORE_API_KEY], pets+Live, 7xR=2m"Wv';
  expect(tracesOf([key], text)).toEqual([]);
});
