import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costs, fallOf, refillIn, type Reading } from './remaining.js';

const begin = Date.parse('2026-03-01T12:00:10Z');

/** Readings one after the other, so many milliseconds apart. */
function readings(remaining: readonly number[], apart = 1, resets: readonly number[] = []): Reading[] {
  return remaining.map((left, index) => ({
    sentAt: begin + index * apart,
    arrivedAt: begin + (index + 1) * apart,
    limit: 1_000,
    remaining: left,
    reset: resets[index] ?? begin / 1000 + 50,
  }));
}

/** A thousand in a minute. */
const business = 1_000 / 60_000;

describe('how Remaining falls', () => {
  it.each([
    ['one for each request', [9, 8, 7, 6], 'exact'],
    ['not at all', [9, 9, 9, 9], 'short'],
    ['upwards', [6, 7, 8, 9], 'short'],
    ['two for each', [9, 7, 5, 3], 'even'],
    ['more, unevenly', [9, 8, 5, 4], 'others'],
    ['more at first, less behind', [9, 6, 6, 6], 'others'],
  ] as const)('%s', (_how, remaining, kind) => {
    expect(fallOf(readings(remaining), business).kind).toBe(kind);
  });

  it('by less, which the time that went by explains where the limiter refills', () => {
    expect(fallOf(readings([9, 8, 8, 7, 6], 10), business)).toEqual({ kind: 'refill', fallen: 3, sent: 4 });
  });

  it('by less than a refill explains is short', () => {
    expect(fallOf(readings([9, 9, 9, 9, 8], 10), business)).toEqual({ kind: 'short', fallen: 1, sent: 4 });
  });

  it('can not be told where as much may have been refilled as was sent', () => {
    expect(fallOf(readings([9, 9, 9, 9], 300), business).kind).toBe('open');
  });

  it('can not be told of one answer', () => {
    expect(fallOf(readings([9]), business).kind).toBe('open');
    expect(fallOf([], business).kind).toBe('open');
  });

  it('begins anew with a window that turns', () => {
    const resets = [begin / 1000, begin / 1000, begin / 1000 + 60];
    expect(fallOf(readings([2, 1, 59], 1, resets), business).kind).toBe('turned');
  });

  it('is never short of a fixed window that counts every request, whatever it begins with', () => {
    fc.assert(
      fc.property(fc.integer({ min: 20, max: 100_000 }), fc.integer({ min: 2, max: 20 }), (first, length) => {
        const remaining = Array.from({ length }, (_reading, index) => first - index);
        return fallOf(readings(remaining), business).kind === 'exact';
      }),
    );
  });

  it('is never short of a token bucket, however slow the requests', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 2, maxLength: 12 }),
        fc.integer({ min: 1, max: 100 }),
        fc.double({ min: 200, max: 900, noNaN: true }),
        (pauses, perSecond, tokens) => {
          const rate = perSecond / 1000;
          let at = begin;
          let left = tokens;
          const seen = pauses.map((pause): Reading => {
            const sentAt = at;
            at += pause;
            left = Math.min(1_000, left + pause * rate) - 1;
            return { sentAt, arrivedAt: at, limit: 1_000, remaining: Math.floor(left), reset: undefined };
          });
          return fallOf(seen, rate).kind !== 'short';
        },
      ),
    );
  });
});

describe('a rise within a window', () => {
  const jumping = [500, 490, 520, 510];

  it('beside a fall by more is what no other client does', () => {
    expect(fallOf(readings(jumping), business).kind).toBe('rising');
  });

  it('may be what a sliding log gives back of what was sent a minute before', () => {
    const burst = Array.from({ length: 40 }, () => begin - 60_000);
    expect(fallOf(readings(jumping), business, burst).kind).toBe('others');
    expect(fallOf(readings(jumping), business, burst.slice(15)).kind).toBe('rising');
  });

  it('may be a refill beside other clients', () => {
    expect(fallOf(readings([500, 490, 492, 480], 200), business).kind).toBe('others');
  });
});

describe('what operations cost', () => {
  const sequence = (...steps: ReadonlyArray<readonly [string, number]>) =>
    steps.map(([operation, remaining]) => ({ operation, remaining }));

  it('is told where it is the same each time, and more than a request', () => {
    const first = sequence(['listPets', 90], ['getPet', 89], ['createPet', 86], ['getPet', 85]);
    const second = sequence(['listPets', 70], ['getPet', 69], ['createPet', 66], ['getPet', 65]);
    expect([...(costs([first, second]) ?? [])]).toEqual([
      ['getPet', 1],
      ['createPet', 3],
    ]);
  });

  it('is not told where it differs, as beside other clients, nor where each is one', () => {
    expect(costs([sequence(['listPets', 90], ['getPet', 88], ['getPet', 87])])).toBeUndefined();
    expect(costs([sequence(['listPets', 90], ['getPet', 89], ['createPet', 88])])).toBeUndefined();
  });
});

describe('a refill', () => {
  it('is what the rate makes of the time, and one for the rounding', () => {
    expect([
      refillIn(0, business),
      refillIn(59, business),
      refillIn(60, business),
      refillIn(600, business),
    ]).toEqual([1, 1, 2, 11]);
  });
});
