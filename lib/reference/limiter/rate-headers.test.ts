import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Decision } from './limiter.js';
import { rateLimitHeaders, retryAfterHeader } from './rate-headers.js';

const at = Date.UTC(2026, 0, 1, 12, 0, 20, 500);
const midnight = Date.UTC(2026, 0, 2);

function decision(minuteLeft: number, dayLeft: number, minuteEnds = at + 39_500): Decision {
  return {
    admitted: minuteLeft > 0 && dayLeft > 0,
    minute: {
      limit: 60,
      remaining: minuteLeft,
      resetsAt: minuteEnds,
      admitsAt: minuteLeft > 0 ? at : minuteEnds,
    },
    day: { limit: 1_000, remaining: dayLeft, resetsAt: midnight, admitsAt: dayLeft > 0 ? at : midnight },
  };
}

function shown(decision: Decision, choice: Parameters<typeof rateLimitHeaders>[1] = {}): string[] {
  return rateLimitHeaders(decision, choice).map(([, value]) => value);
}

describe('the rate-limit headers', () => {
  it('show the minute', () => {
    expect(rateLimitHeaders(decision(59, 40))).toEqual([
      ['X-RateLimit-Limit', '60'],
      ['X-RateLimit-Remaining', '59'],
      ['X-RateLimit-Reset', String((at + 39_500) / 1000)],
    ]);
  });

  it('show the day once it is used up, the day always, or the one that leaves fewer', () => {
    const day = ['1000', '0', String(midnight / 1000)];
    expect(shown(decision(59, 0))).toEqual(day);
    expect(shown(decision(59, 0), { shows: 'day' })).toEqual(day);
    expect(shown(decision(59, 58), { shows: 'fewest' })[0]).toBe('1000');
    expect(shown(decision(59, 60), { shows: 'fewest' })[0]).toBe('60');
  });

  it('round Reset up, so that the limit has been reset then, or down', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60_000 }), (ahead) => {
        const ends = at + ahead;
        const up = Number(shown(decision(5, 500, ends))[2]);
        const down = Number(shown(decision(5, 500, ends), { resetRounding: 'down' })[2]);
        expect(up * 1000 - ends).toBeGreaterThanOrEqual(0);
        expect(up * 1000 - ends).toBeLessThan(1000);
        expect(ends - down * 1000).toBeGreaterThanOrEqual(0);
        expect(ends - down * 1000).toBeLessThan(1000);
      }),
    );
  });
});

describe('Retry-After', () => {
  it('in seconds never ends too early, and is at least 1', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60_000 }), (ahead) => {
        const [name, value] = retryAfterHeader(decision(0, 500, at + ahead), at, 60_000);
        expect(name).toBe('Retry-After');
        expect(Number(value)).toBeGreaterThanOrEqual(1);
        expect(at + Number(value) * 1000).toBeGreaterThanOrEqual(at + ahead);
        expect(Number(value)).toBeLessThanOrEqual(60);
      }),
    );
  });

  it('as a date never ends too early, and lies ahead', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60_000 }), (ahead) => {
        const [, value] = retryAfterHeader(decision(0, 500, at + ahead), at, 60_000, { retryAfter: 'date' });
        expect(Date.parse(value)).toBeGreaterThanOrEqual(at + ahead);
        expect(Date.parse(value)).toBeGreaterThan(at);
        expect(Date.parse(value)).toBeLessThan(at + ahead + 1_000);
      }),
    );
  });

  it('waits for the later of minute and day', () => {
    expect(Number(retryAfterHeader(decision(0, 0), at, 60_000)[1])).toBe(Math.ceil((midnight - at) / 1000));
  });
});
