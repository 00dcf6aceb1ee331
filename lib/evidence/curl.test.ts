import { describe, expect, it } from 'vitest';
import { curlOf, sendsValidKey } from './curl.js';
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
      "curl -i -g 'http://127.0.0.1/v1/pets?limit=[1-9]{2}'",
    ],
    [
      'an address that curl would shorten',
      { url: 'http://127.0.0.1/v1/pets/../pets' },
      "curl -i --path-as-is 'http://127.0.0.1/v1/pets/../pets'",
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
    [
      'one to a target whose certificate was not checked',
      { url: 'https://127.0.0.1/v1/pets', insecure: true },
      "curl -i --http1.1 -k 'https://127.0.0.1/v1/pets'",
    ],
  ])('is as short as it can be: %s', (_what, rest, command) => {
    expect(curlOf(request(rest))).toBe(command);
  });
});

it('tells a command with the valid key from others', () => {
  const withHeader = (value: string) =>
    sendsValidKey(curlOf(request({ headers: [['Authorization', value]] })));
  expect(['Bearer $STAGING_API_KEY', "Bearer $(cat 'my key')"].map(withHeader)).toEqual([true, true]);
  expect(['Bearer x', 'bearer $KEY', 'Bearer $(printf %s "$KEY" | tr a-z A-Z)'].map(withHeader)).toEqual([
    false,
    false,
    false,
  ]);
});
