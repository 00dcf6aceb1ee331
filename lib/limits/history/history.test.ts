import { Exchange } from '../../evidence/exchange.js';
import { expect, it } from 'vitest';
import { plans } from '../../specification/plan.js';
import { exchangeOf } from '../../verdict/testing/exchange.js';
import {
  observationOf,
  forgedAddress,
  walkAroundIn,
  historyOf,
  type Observation,
  type History,
} from './history.js';
import { bansIn, ofTheMinute } from '../limits-of-run.js';

const begin = Date.parse('2026-03-01T10:00:20Z');

/** A request a second; a number is the Retry-After of its 429. */
function historyWith(...outcomes: ReadonlyArray<'admitted' | number>): History {
  const exchanges = outcomes.map((outcome, index) =>
    exchangeOf({
      ...(outcome === 'admitted'
        ? { status: 200, json: [] }
        : { status: 429, headers: [['Retry-After', String(outcome)]] }),
      sentAt: new Date(begin + index * 1_000).toISOString(),
    }),
  );
  return historyOf(exchanges, { plan: plans.free, caller: 'PETSTORE_API_KEY', readOnly: false });
}

it('takes a wait that grows beyond the window, behind several 429s, for a ban', () => {
  const history = historyWith('admitted', 40, 39, 38, 300, 'admitted');
  expect(bansIn(history)).toHaveLength(1);
  expect(ofTheMinute(history).own.map(({ status }) => status)).toEqual([200, 429, 429, 429, 200]);
});

it.each([
  ['that is too long from the first 429 on', [300, 299, 298, 297]],
  ['that is too long behind a single 429', [40, 300]],
  ['that is begun anew by each 429', [40, 60, 60, 60, 60]],
])('takes no wait %s for a ban', (_name, waits) => {
  const history = historyWith('admitted', ...waits);
  expect(bansIn(history)).toEqual([]);
  expect(ofTheMinute(history)).toEqual(history);
});

it('leaves out a rejection by the day’s limit, and no other that reports the day', () => {
  const rejected = (remaining: number, retryAfter: number) =>
    exchangeOf({
      status: 429,
      headers: [
        ['X-RateLimit-Limit', '1000'],
        ['X-RateLimit-Remaining', String(remaining)],
        ['Retry-After', String(retryAfter)],
      ],
      sentAt: new Date(begin).toISOString(),
    });
  const facts = { plan: plans.free, caller: 'PETSTORE_API_KEY', readOnly: false };
  const history = historyOf([rejected(0, 36_000), rejected(900, 40)], facts);
  expect(ofTheMinute(history).own.map(({ headers }) => headers.remaining)).toEqual([900]);
});

/** Responses with these values of Remaining; the one in brackets is to a request with a forged address. */
function responsesWith(...remaining: ReadonlyArray<number | readonly [number]>): Observation[] {
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
    return observationOf(
      new Exchange({ ...exchange.line, request: { ...exchange.request, headers } }),
      plans.free,
    );
  });
}

it('sees that the limit is walked around if Remaining jumps back for one request', () => {
  const own = responsesWith(32, 31, [59], 30);
  expect(walkAroundIn(own)).toEqual({ before: own[1], forged: own[2] });
});

it.each([
  ['falls on', responsesWith(32, 31, [30], 29)],
  ['falls by more, as others use the key', responsesWith(32, 31, [28], 27)],
  ['begins anew with a window', responsesWith(32, 31, [59], 58)],
  ['is that of another node, which has been used', responsesWith(32, 31, [40], 30)],
  ['has hardly fallen', responsesWith(58, 57, [59], 56)],
  ['is told by no later response', responsesWith(32, 31, [59])],
])('sees nothing if Remaining %s', (_name, own) => {
  expect(walkAroundIn(own)).toBeUndefined();
});
