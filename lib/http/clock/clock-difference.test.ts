import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ClockDifference } from './clock-difference.js';
import { exchangeOf } from '../exchange/testing/exchange-of.js';

/** An exchange with a target whose clock is `ahead` milliseconds ahead, which writes its Date `after` milliseconds. */
function exchangeAt(sentAt: number, ahead: number, total: number, after: number) {
  return exchangeOf({
    sentAt: new Date(sentAt).toISOString(),
    timing: { wait: 0, total },
    headers: [['Date', new Date(Math.floor((sentAt + after + ahead) / 1000) * 1000).toUTCString()]],
  });
}

const start = Date.UTC(2026, 0, 1);

describe('the difference of the clocks', () => {
  it('is unknown until a Date tells it', () => {
    const difference = new ClockDifference();
    expect(difference.milliseconds).toBeNull();
    for (const value of ['yesterday', '', 'NaN']) difference.see(exchangeOf({ headers: [['Date', value]] }));
    difference.see(exchangeOf({ status: null }));
    expect(difference.milliseconds).toBeNull();
  });

  it('is off by no more than half a second and half the time that an answer took', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -10_000_000, max: 10_000_000 }),
        fc.integer({ min: 0, max: 5_000 }),
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (ahead, total, sent, share) => {
          const difference = new ClockDifference();
          difference.see(exchangeAt(start + sent, ahead, total, Math.floor(total * share)));
          expect(Math.abs((difference.milliseconds ?? Number.NaN) - ahead)).toBeLessThanOrEqual(
            501 + total / 2,
          );
        },
      ),
    );
  });

  it('follows a clock that is set while the run goes on', () => {
    const difference = new ClockDifference();
    for (let index = 0; index < 10; index += 1) difference.see(exchangeAt(start + index * 777, 0, 20, 10));
    for (let index = 10; index < 20; index += 1)
      difference.see(exchangeAt(start + index * 777, 3_600_000, 20, 10));
    expect(Math.abs((difference.milliseconds ?? 0) - 3_600_000)).toBeLessThan(600);
  });
});
