import { expect, it } from 'vitest';
import { exchangeOf } from '../http/exchange/testing/exchange-of.js';
import type { Exchange } from '../evidence/exchange.js';
import { reproduceInTurn } from './reproduce.js';

const address = 'http://127.0.0.1/v1/pets';
const creation = exchangeOf({
  operation: 'createPet',
  request: { method: 'POST', url: address, headers: [['Content-Type', 'application/json']], body: '{}' },
  status: 201,
  body: { text: '{"id":7}' },
});
const requested = (path: string): Exchange =>
  exchangeOf({ request: { method: 'GET', url: `${address}${path}`, headers: [] } });

it('keeps an identifier that a later request names in a variable', () => {
  expect(reproduceInTurn([creation, requested('/7')])).toBe(
    `response=$(${creation.curl.replace('curl -i', 'curl -sSi')}); printf '%s\\n' "$response"; id1=$(printf '%s\\n' "$response" | sed -nE 's/.*"id": *"?(-?[0-9]+).*/\\1/p'); curl -i '${address}/'"$id1"`,
  );
});

it('sends what no later request names as it was sent', () => {
  const listing = requested('?limit=100');
  expect(reproduceInTurn([creation, listing])).toBe(`${creation.curl}; ${listing.curl}`);
  expect(reproduceInTurn([listing])).toBe(listing.curl);
});

it('writes what only prepares another request in the plain spelling', () => {
  const escaped = exchangeOf({
    operation: 'createPet',
    request: { method: 'POST', url: address, headers: [], body: String.raw`{ "n\u0061me": "Rex" }` },
    status: 201,
    body: { text: '{"id":7}' },
  });
  expect(reproduceInTurn([escaped, requested('')])).toContain(`--data-raw '{"name":"Rex"}'; curl`);
  expect(reproduceInTurn([escaped])).toContain(String.raw`n\u0061me`);
});
