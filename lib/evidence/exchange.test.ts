import { describe, expect, it } from 'vitest';
import { ApiResponse, jsonOf } from './exchange.js';
import { exchangeOf, type Sketch } from '../verdict/testing/exchange.js';

const answerOf = (sketch: Sketch): ApiResponse => new ApiResponse(exchangeOf(sketch));

describe('the body that was sent', () => {
  it('has what many do not expect if it holds half a character', () => {
    const sent = (text: string): string => new ApiResponse(exchangeOf({ sent: text })).unexpected;
    expect(sent('{"name":"Rex \\ud800"}')).toContain('`\\ud800`');
    expect(sent('{"name":"Rex \\ud83d\\udc36"}')).toBe('');
    expect(new ApiResponse(exchangeOf()).unexpected).toBe('');
  });
});

describe('a response', () => {
  it('has the value of its JSON, long integers digit by digit', () => {
    expect(answerOf({ text: '[{"id":9223372036854775807}]' }).json).toEqual([{ id: 9223372036854775807n }]);
  });

  it('has none if the body is none, is cut off or is not there', () => {
    expect(answerOf({ text: '{"id":' }).json).toBeUndefined();
    expect(answerOf({}).json).toBeUndefined();
    expect(answerOf({ status: null }).json).toBeUndefined();
    const cut = exchangeOf({ text: '[]' });
    if (cut.response) cut.response.body.truncated = true;
    expect(new ApiResponse(cut).json).toBeUndefined();
  });

  it('says of a body that is not UTF-8 that it is none', () => {
    const exchange = exchangeOf({ text: '' });
    if (exchange.response) exchange.response.body = { bytes: 3, base64: '/////w==' };
    expect(jsonOf(exchange)).toMatchObject({ ok: false, message: 'not UTF-8' });
    expect(String(new ApiResponse(exchange))).toBe('200 3 bytes that are not UTF-8');
  });

  it('is parsed once', () => {
    const exchange = exchangeOf({ text: '[]' });
    expect(jsonOf(exchange)).toBe(jsonOf(exchange));
  });

  it('is told in a line', () => {
    expect(String(answerOf({ status: 404, text: '{"code":"x"}' }))).toBe('404 {"code":"x"}');
    expect(String(answerOf({ status: 204 }))).toBe('204 without a body');
    expect(String(answerOf({ status: null, failure: 'reset' }))).toBe('no response: it failed (reset)');
    expect(String(answerOf({ text: '[', failure: 'closed' }))).toBe('200 [ (then it failed (closed))');
    expect(String(answerOf({ text: 'x'.repeat(500) })).length).toBeLessThan(170);
  });

  it('has a header by its name in any case', () => {
    const response = answerOf({
      headers: [
        ['x-ratelimit-LIMIT', '60'],
        ['X-RateLimit-Limit', '61'],
      ],
    });
    expect(response.header('X-RateLimit-Limit')).toBe('60');
    expect(response.header('Date')).toBeUndefined();
  });

  it('is broken if the network or a gateway kept it back', () => {
    expect(answerOf({ status: null, failure: 'timeout' }).broken).toBe('it failed (timeout)');
    expect(answerOf({ status: 503 }).broken).toBe('a gateway responded with 503');
    expect(answerOf({ status: 500 }).broken).toBeUndefined();
  });
});
