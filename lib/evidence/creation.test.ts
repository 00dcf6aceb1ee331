import { describe, expect, it } from 'vitest';
import { exchangeOf } from '../http/exchange/testing/exchange-of.js';
import { isAccepted, type Exchange } from './exchange.js';

const response = (status: number, text: string): Exchange => exchangeOf({ status, body: { text } });

describe('a creation', () => {
  it.each([200, 201, 202])('that is answered %i with an animal made it', (status) => {
    expect(response(status, '{"id":7}').created?.id).toBe('7');
  });

  it.each([302, 400, 401, 404, 422, 429, 500])('that is answered %i made none', (status) => {
    expect(response(status, '{"id":7}').created).toBeUndefined();
  });

  it.each(['', '[]', '<html>', '{"name":"Rex"}'])('that is answered with %j shows no animal', (body) => {
    expect(response(200, body).created).toBeUndefined();
  });

  it('that was not answered is not taken', () => {
    expect([isAccepted(null), isAccepted(undefined)]).toEqual([false, false]);
  });
});
