import { describe, expect, it, test } from 'vitest';
import { parseHttpDate, parseSentHttpDate } from './http-date.js';
import { parseRateHeaders, parseRetryAfter, waitOf } from './rate-headers.js';

const date = 'Sat, 21 Nov 2026 10:00:00 GMT';
const now = Date.UTC(2026, 10, 21, 10);

describe('rate headers', () => {
  it('are read by their names in any case', () => {
    const headers = [
      ['x-ratelimit-LIMIT', '60'],
      ['X-RateLimit-Remaining', '59'],
      ['X-RateLimit-Reset', String(now / 1000 + 40)],
      ['Date', date],
    ] as const;
    expect(parseRateHeaders(headers)).toEqual({
      limit: 60,
      remaining: 59,
      reset: now / 1000 + 40,
      resetAt: now + 40_000,
      date: now,
    });
  });

  it.each(['', 'many', '60.5', ' 60', '0x3c', '9'.repeat(20)])('leave out a limit of "%s"', (value) => {
    expect(parseRateHeaders([['X-RateLimit-Limit', value]])).toEqual({});
  });

  it('leave out what is repeated', () => {
    const twice = ['X-RateLimit-Limit', '60'] as const;
    expect(parseRateHeaders([twice, twice])).toEqual({});
  });

  it.each([
    [String(now / 1000 + 40), 'Unix seconds', 40_000],
    [String(now + 40_000), 'Unix milliseconds', 40_000],
    ['40', 'seconds to go', 40_000],
    ['0', 'seconds to go', 0],
  ])('read a Reset of %s as %s', (value, _unit, ahead) => {
    const headers = [['X-RateLimit-Reset', value] as const, ['Date', date] as const];
    expect((parseRateHeaders(headers).resetAt ?? 0) - now).toBe(ahead);
  });

  it.each(['soon', '2026-11-21T10:00:40Z', '1790000000.5', '-5'])(
    'tell no moment for a Reset of %s',
    (value) => {
      expect(parseRateHeaders([['X-RateLimit-Reset', value]]).resetAt).toBeUndefined();
    },
  );
});

describe('Retry-After', () => {
  it.each([
    ['30', { form: 'seconds', seconds: 30 }, 30_000],
    ['0', { form: 'seconds', seconds: 0 }, 0],
    ['Sat, 21 Nov 2026 10:00:30 GMT', { form: 'date', date: now + 30_000 }, 30_000],
    ['Saturday, 21-Nov-26 10:00:30 GMT', { form: 'date', date: now + 30_000 }, 30_000],
    ['Sat Nov 21 10:00:30 2026', { form: 'date', date: now + 30_000 }, 30_000],
    ['Sat, 21 Nov 2026 09:00:00 GMT', { form: 'date', date: now - 3_600_000 }, 0],
    ['29.5', { form: 'malformed' }, undefined],
    ['-5', { form: 'malformed' }, undefined],
    ['30s', { form: 'malformed' }, undefined],
    ['2026-11-21T10:00:30Z', { form: 'malformed' }, undefined],
    ['', { form: 'malformed' }, undefined],
  ])('"%s"', (text, read, wait) => {
    expect(parseRetryAfter([text])).toEqual({ ...read, text });
    expect(waitOf(parseRetryAfter([text]), now)).toBe(wait);
  });

  it('is malformed if it is repeated, and missing if there is none', () => {
    expect(parseRetryAfter(['30', '30'])).toEqual({ form: 'malformed', text: '30, 30' });
    expect(parseRetryAfter([])).toBeUndefined();
  });
});

test('a sender must write IMF-fixdate with the right day of the week; a recipient reads more', () => {
  expect(parseSentHttpDate(date)).toBe(now);
  for (const text of ['Sun, 21 Nov 2026 10:00:00 GMT', 'Sat Nov 21 10:00:00 2026']) {
    expect(parseHttpDate(text)).toBe(now);
    expect(parseSentHttpDate(text)).toBeUndefined();
  }
  for (const text of ['2026-11-21T10:00:00Z', 'Sat, 32 Nov 2026 10:00:00 GMT', '1795255200', ''])
    expect(parseHttpDate(text)).toBeUndefined();
});
