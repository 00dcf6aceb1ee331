import { describe, expect, it } from 'vitest';
import { exchangeOf } from '../http/exchange/testing/exchange-of.js';
import { plans } from '../specification/plan.js';
import type { Recovery } from './evidence.js';
import { othersPossible } from './others-possible.js';
import { seen, type Seen } from './seen.js';

const plan = plans.free;
const begin = 1_790_000_000_000 - (1_790_000_000_000 % 60_000);

/** An answer so many seconds after a minute began, with so much Remaining of 60; undefined: refused. */
function answer(second: number, remaining: number | undefined): Seen {
  const reset = begin / 1000 + (Math.floor(second / 60) + 1) * 60;
  const at = begin + second * 1000;
  const headers: [string, string][] = [
    ['X-RateLimit-Limit', '60'],
    ['X-RateLimit-Remaining', String(remaining ?? 0)],
    ['X-RateLimit-Reset', String(reset)],
  ];
  const status = remaining === undefined ? 429 : 200;
  return seen(exchangeOf({ operation: 'listPets', status, headers }), { sentAt: at, at: at + 1 });
}

function judged(history: readonly Seen[], recoveries: readonly Recovery[] = []): boolean {
  return othersPossible({
    plan,
    windowMs: 60_000,
    difference: { least: 0, most: 0 },
    earlier: [],
    history,
    recoveries,
    strangersAt: [],
    uses: {},
    uncounted: new Set(),
  });
}

/** So many answers, a tenth of a second apart, the first with so much Remaining. */
function falling(second: number, first: number, count: number, price = 1): Seen[] {
  return Array.from({ length: count }, (_, index) => answer(second + index / 10, first - index * price));
}

describe('nobody else uses the key', () => {
  it('where Remaining falls by what is sent, window after window', () => {
    expect(judged([...falling(1, 59, 20), ...falling(61, 59, 20), ...falling(121, 59, 3)])).toBe(false);
  });

  it('where each request is counted twice', () => {
    expect(judged([...falling(1, 58, 20, 2), ...falling(61, 58, 20, 2)])).toBe(false);
  });

  it('where a lower limit is applied than is told', () => {
    expect(judged([...falling(1, 58, 20), ...falling(61, 58, 20)])).toBe(false);
  });

  it('where nothing is told', () => {
    const silent = exchangeOf({ operation: 'listPets', status: 200, headers: [] });
    expect(judged([seen(silent), seen(silent)])).toBe(false);
  });
});

describe('somebody else may use the key', () => {
  it('where Remaining falls further between two answers than such a request costs', () => {
    expect(judged([...falling(1, 59, 20), answer(10, 38)])).toBe(true);
  });

  it('where one quiet window begins with less than another', () => {
    expect(judged([answer(1, 59), answer(301, 55), answer(601, 59)])).toBe(true);
  });

  it('where no algorithm leaves so little after so long', () => {
    expect(judged([...falling(1, 59, 50), answer(240, 40)])).toBe(true);
  });

  it('where less than the limit is there from the first, and a wait as told is not enough', () => {
    const refusal = answer(4, undefined);
    const look = answer(6, undefined);
    const history = [...falling(1, 29, 30), refusal, look];
    expect(judged(history)).toBe(false);
    expect(judged(history, [{ refusal, by: 'Retry-After', look }])).toBe(true);
  });
});
