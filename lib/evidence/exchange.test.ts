import { describe, expect, it } from 'vitest';
import { exchangeOf } from '../verdict/testing/exchange.js';

describe('a response', () => {
  it('has the value of its JSON, long integers digit by digit', () => {
    expect(exchangeOf({ text: '[{"id":9223372036854775807}]' }).json).toEqual([{ id: 9223372036854775807n }]);
  });

  it('has none if the body is none, is cut off or is not there', () => {
    expect(exchangeOf({ text: '{"id":' }).json).toBeUndefined();
    expect(exchangeOf({}).json).toBeUndefined();
    expect(exchangeOf({ status: null }).json).toBeUndefined();
    const cut = exchangeOf({ text: '[]' });
    if (cut.response) cut.response.body.truncated = true;
    expect(cut.json).toBeUndefined();
  });

  it('says of a body that is not UTF-8 that it is none', () => {
    const exchange = exchangeOf({ text: '' });
    if (exchange.response) exchange.response.body = { bytes: 3, base64: '/////w==' };
    expect(exchange.parsed).toMatchObject({ ok: false, message: 'not UTF-8' });
    expect(String(exchange)).toBe('200 3 bytes that are not UTF-8');
  });

  it('is parsed once', () => {
    const exchange = exchangeOf({ text: '[]' });
    expect(exchange.parsed).toBe(exchange.parsed);
  });

  it('is told in a line', () => {
    expect(String(exchangeOf({ status: 404, text: '{"code":"x"}' }))).toBe('404 {"code":"x"}');
    expect(String(exchangeOf({ status: 204 }))).toBe('204 without a body');
    expect(String(exchangeOf({ status: null, failure: 'reset' }))).toBe('no response: it failed (reset)');
    expect(String(exchangeOf({ text: '[', failure: 'closed' }))).toBe('200 [ (then it failed (closed))');
    expect(String(exchangeOf({ text: 'x'.repeat(500) })).length).toBeLessThan(170);
  });

  it('has a header by its name in any case', () => {
    const response = exchangeOf({
      headers: [
        ['x-ratelimit-LIMIT', '60'],
        ['X-RateLimit-Limit', '61'],
      ],
    });
    expect(response.header('X-RateLimit-Limit')).toBe('60');
    expect(response.header('Date')).toBeUndefined();
  });

  it('is broken if the network or a gateway kept it back', () => {
    expect(exchangeOf({ status: null, failure: 'timeout' }).broken).toBe('it failed (timeout)');
    expect(exchangeOf({ status: 503 }).broken).toBe('a gateway responded with 503');
    expect(exchangeOf({ status: 500 }).broken).toBeUndefined();
  });
});

describe('the animals of a listing', () => {
  it('are those with an identifier', () => {
    const { animals } = exchangeOf({ json: [{ id: 1 }, {}, null, { id: 2n }] });
    expect(animals?.map(({ id }) => id)).toEqual(['1', '2']);
    expect(exchangeOf({ json: [] }).animals).toEqual([]);
  });

  it('are undefined if there is no array, or no success', () => {
    expect(exchangeOf({ json: { data: [] } }).animals).toBeUndefined();
    expect(exchangeOf({ json: null }).animals).toBeUndefined();
    expect(exchangeOf({ json: [{ id: 1 }], status: 400 }).animals).toBeUndefined();
  });
});
