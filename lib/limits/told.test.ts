import { describe, expect, it } from 'vitest';
import type { Exchange } from '../http/exchange/exchange.js';
import { plans } from '../specification/plan.js';
import { toldBy, viewOf } from './told.js';

const date = 'Sat, 21 Nov 2026 10:00:00 GMT';
const now = Date.parse(date);

function told(headers: Record<string, string>) {
  const exchange: Exchange = {
    id: 'e1',
    purpose: 'LIMIT-01',
    operation: 'listPets',
    credential: 'valid',
    input: 'specified',
    sentAt: new Date(now).toISOString(),
    request: { method: 'GET', url: 'http://127.0.0.1/v1/pets', headers: [] },
    response: { status: 200, headers: Object.entries({ Date: date, ...headers }), body: { bytes: 0 } },
    timing: { wait: 0, firstByte: 1, total: 1 },
  };
  return toldBy(exchange);
}

describe('Reset', () => {
  it.each([
    [String(now / 1000 + 40), 'seconds', 40_000],
    [String(now + 40_000), 'milliseconds', 40_000],
    ['40', 'seconds to go', 40_000],
    ['0', 'seconds to go', 0],
  ])('%s is read as %s', (text, form, ahead) => {
    const { reset } = told({ 'x-ratelimit-reset': text });
    expect(reset?.form).toBe(form);
    expect((reset?.at ?? 0) - now).toBe(ahead);
  });

  it.each(['soon', '2026-11-21T10:00:40Z', '1790000000.5', '-5'])('%s is not read', (text) => {
    expect(told({ 'X-RateLimit-Reset': text }).reset).toBeUndefined();
  });
});

describe('Retry-After', () => {
  it.each([
    ['30', { form: 'seconds', seconds: 30 }],
    ['0', { form: 'seconds', seconds: 0 }],
    ['Sat, 21 Nov 2026 10:00:30 GMT', { form: 'date', date: now + 30_000 }],
    ['Saturday, 21-Nov-26 10:00:30 GMT', { form: 'date', date: now + 30_000 }],
    ['Sat Nov 21 10:00:30 2026', { form: 'date', date: now + 30_000 }],
    ['29.5', { form: 'malformed' }],
    ['-5', { form: 'malformed' }],
    ['30s', { form: 'malformed' }],
    ['2026-11-21T10:00:30Z', { form: 'malformed' }],
    ['', { form: 'malformed' }],
  ])('%s', (text, read) => {
    expect(told({ 'Retry-After': text }).retryAfter).toEqual({ ...read, text });
  });
});

describe('the limit that headers show', () => {
  const reset = (seconds: number): string => String(now / 1000 + seconds);
  it.each([
    [{ 'X-RateLimit-Limit': '60', 'X-RateLimit-Reset': reset(40) }, 'minute'],
    [{ 'X-RateLimit-Limit': '1000', 'X-RateLimit-Reset': reset(40_000) }, 'day'],
    [{ 'X-RateLimit-Limit': '77', 'X-RateLimit-Reset': reset(40_000) }, 'day'],
    [{ 'X-RateLimit-Limit': '77' }, 'minute'],
    [{}, 'unknown'],
  ])('%j is that of the %s', (headers, view) => {
    expect(viewOf(told(headers), plans.free, 60_000)).toBe(view);
  });
});
