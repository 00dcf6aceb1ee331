import { expect, it } from 'vitest';
import { plans } from '../../specification/plan.js';
import { exchangeOf } from '../../verdict/testing/exchange.js';
import { forgedAddress, walkAroundIn } from './forged-address.js';
import { observationOf, type Observation } from './observation.js';

/** Responses with these values of Remaining; the one in brackets is to a request with a forged address. */
function history(...remaining: ReadonlyArray<number | readonly [number]>): Observation[] {
  return remaining.map((value) => {
    const exchange = exchangeOf({
      status: 200,
      json: [],
      headers: [
        ['X-RateLimit-Limit', '60'],
        ['X-RateLimit-Remaining', String(value)],
      ],
    });
    const headers =
      typeof value === 'number' ? [] : forgedAddress.map(([name, text]): [string, string] => [name, text]);
    return observationOf({ ...exchange, request: { ...exchange.request, headers } }, plans.free, 60_000);
  });
}

it('sees that the limit is walked around if Remaining jumps back for one request', () => {
  const own = history(32, 31, [59], 30);
  expect(walkAroundIn(own)).toEqual({ before: own[1], forged: own[2] });
});

it.each([
  ['falls on', history(32, 31, [30], 29)],
  ['falls by more, as others use the key', history(32, 31, [28], 27)],
  ['begins anew with a window', history(32, 31, [59], 58)],
  ['is that of another node, which has been used', history(32, 31, [40], 30)],
  ['has hardly fallen', history(58, 57, [59], 56)],
  ['is told by no later response', history(32, 31, [59])],
])('sees nothing if Remaining %s', (_name, own) => {
  expect(walkAroundIn(own)).toBeUndefined();
});
