import { describe, expect, it } from 'vitest';
import type { Check } from './check.js';
import { checkReset } from './reset.js';
import { exchangeOf } from './testing/exchange.js';
import { resultOf } from './testing/result-of.js';

const sentAt = '2026-03-01T12:00:00.000Z';
const now = Date.parse(sentAt) / 1000;

/** What is found, or the verdict. */
function told(check: Check): string {
  const { findings, verdict } = resultOf(check);
  return findings[0]?.message.replace('`X-RateLimit-Reset` ', '') ?? verdict;
}

function judged(
  value: string | number,
  {
    date = 'Sun, 01 Mar 2026 12:00:00 GMT',
    difference = 0,
  }: { date?: string; difference?: number | null } = {},
) {
  const headers: Array<[string, string]> = date === '' ? [] : [['Date', date]];
  return told(checkReset(String(value), exchangeOf({ sentAt, headers }), difference));
}

describe('X-RateLimit-Reset', () => {
  it.each([
    ['in a minute', now + 60],
    ["at the day's end", now + 86_400],
    ['a second ago, rounded down', now - 1],
  ])('is right %s', (_when, value) => {
    expect(judged(value)).toBe('pass');
  });

  it.each([
    ['is past', now - 2],
    ['is more than a day ahead', now + 86_402],
    ['is not a Unix timestamp in seconds', now * 1000],
    ['is not a Unix timestamp in seconds', `${now}000000`],
    ['is the seconds to wait, not a timestamp', 60],
    ['is not a Unix timestamp in seconds', -1],
    ['is not a Unix timestamp in seconds', `${now}.5`],
    ['is not a Unix timestamp in seconds', 'Sun, 01 Mar 2026 12:01:00 GMT'],
    ['is not a Unix timestamp in seconds', 'soon'],
  ])('%s: %s', (what, value) => {
    expect(judged(value)).toBe(what);
  });

  it('may be as far past as the answer took: a window may end meanwhile', () => {
    const slow = exchangeOf({ sentAt, total: 5_000 });
    expect(told(checkReset(String(now), slow, 0))).toBe('pass');
    expect(told(checkReset(String(now - 10), slow, 0))).toBe('is past');
  });

  it("goes by the target's own clock", () => {
    const date = 'Sun, 01 Mar 2026 13:00:00 GMT';
    expect(judged(now + 3_660, { date })).toBe('pass');
    expect(judged(now + 60, { date })).toBe('is past');
  });

  it('goes by the measured difference if the target sends no Date', () => {
    expect(judged(now + 3_660, { date: '', difference: 3_600_000 })).toBe('pass');
    expect(judged(now + 60, { date: '', difference: 3_600_000 })).toBe('is past');
  });

  it('stays open if nothing tells the clocks apart, and not if no clock explains it', () => {
    expect(judged(now - 60, { date: '', difference: null })).toBe('inconclusive');
    expect(judged(now - 7_200, { date: '', difference: null })).toBe('is past');
    expect(judged(now + 60, { date: '', difference: null })).toBe('pass');
  });
});
