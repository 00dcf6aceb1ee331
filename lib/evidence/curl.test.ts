import { describe, expect, it } from 'vitest';
import { curlOf, effortOf } from './curl.js';
import type { RecordedExchange } from './recorded-exchange.js';

type Request = RecordedExchange['request'];

function request(rest: Partial<Request> = {}): Request {
  return { method: 'GET', url: 'http://127.0.0.1/v1/pets', headers: [], ...rest };
}

describe('the curl command of a request', () => {
  it.each<[what: string, Partial<Request>, command: string]>([
    ['a plain one', {}, "curl -i 'http://127.0.0.1/v1/pets'"],
    [
      'one without a body to be posted',
      { method: 'POST' },
      "curl -i 'http://127.0.0.1/v1/pets' -H 'Content-Type:' --data-raw ''",
    ],
    [
      'a body without a type, to which curl would give one',
      { method: 'POST', body: '{}' },
      "curl -i 'http://127.0.0.1/v1/pets' -H 'Content-Type:' --data-raw '{}'",
    ],
    [
      'a body with a type',
      { method: 'POST', headers: [['content-type', 'text/plain']], body: '' },
      "curl -i 'http://127.0.0.1/v1/pets' -H 'content-type: text/plain' --data-raw ''",
    ],
    [
      'another method with a body',
      { method: 'PUT', headers: [['Content-Type', 'application/json']], body: '{}' },
      "curl -i -X PUT 'http://127.0.0.1/v1/pets' -H 'Content-Type: application/json' --data-raw '{}'",
    ],
    [
      'an address that curl would take for a pattern',
      { url: 'http://127.0.0.1/v1/pets?limit=[1-9]{2}' },
      "curl -i --request-target '/v1/pets?limit=[1-9]{2}' 'http://127.0.0.1/'",
    ],
    [
      'an address that curl would shorten',
      { url: 'http://127.0.0.1/v1/pets/../pets' },
      "curl -i --request-target '/v1/pets/../pets' 'http://127.0.0.1/'",
    ],
    [
      'a header of no account',
      {
        headers: [
          ['User-Agent', 'x'],
          ['Content-Length', '7'],
        ],
      },
      "curl -i 'http://127.0.0.1/v1/pets'",
    ],
    [
      'one over TLS, as the run sent it',
      { url: 'https://127.0.0.1/v1/pets', ca: 'my ca.pem' },
      "curl -i --http1.1 --cacert 'my ca.pem' 'https://127.0.0.1/v1/pets'",
    ],
  ])('is as short as it can be: %s', (_what, rest, command) => {
    expect(curlOf(request(rest))).toBe(command);
  });
});

describe('the effort of a command', () => {
  const [key, body] = [0, 1].map(
    (place) => (rest: Partial<Request>) => effortOf(curlOf(request(rest)))[place],
  );

  it('tells the valid key from others', () => {
    const withHeader = (value: string) => key?.({ headers: [['Authorization', value]] });
    expect(['Bearer $STAGING_API_KEY', "Bearer $(cat 'my key')"].map(withHeader)).toEqual([0, 0]);
    const others = ['Bearer x', 'bearer $KEY', 'Bearer $(printf %s "$KEY" | tr a-z A-Z)'];
    expect(others.map(withHeader)).toEqual([1, 1, 1]);
  });

  it('tells a body that can be read from one that has to be decoded', () => {
    const withBody = (text: string) => body?.({ method: 'POST', body: text });
    expect(['{"name":"Rex"}', String.raw`{"name":"a \"b\""}`].map(withBody)).toEqual([0, 0]);
    expect([String.raw`{"name":"\u0052ex"}`, '{"name":"Zoë"}'].map(withBody)).toEqual([1, 1]);
  });
});
