import { afterEach, describe, expect, it, test } from 'vitest';
import { systemClock } from '../http/clock/clock.js';
import { autocannonVolley } from './autocannon-volley.js';
import { limitedTo, startCountingServer, type CountingServer } from './testing/counting-server.js';
import { countEntries, entryHeader, isRefused, type Ledger } from './ledger.js';
import { poolVolley } from './pool-volley.js';
import type { PlannedRequest } from './request.js';
import { volley } from './volley.js';
import type { VolleyOptions } from './volley-options.js';

let server: CountingServer | undefined;
afterEach(() => server?.close());

async function serving(...answer: Parameters<typeof startCountingServer>): Promise<CountingServer> {
  server = await startCountingServer(...answer);
  return server;
}

const request = (path = '/v1/pets', extra: Partial<PlannedRequest> = {}): PlannedRequest => ({
  method: 'GET',
  path,
  headers: [['Authorization', 'Bearer key']],
  operation: 'listPets',
  credential: 'valid',
  input: 'specified',
  purpose: 'LIMIT-01',
  ...extra,
});

function optionsFor(
  origin: string,
  count: number,
  connections: number,
  extra: Partial<VolleyOptions> = {},
): VolleyOptions {
  return {
    target: { origin, timeoutMs: 1_000 },
    requests: Array.from({ length: count }, () => request()),
    connections,
    clock: systemClock,
    signal: new AbortController().signal,
    stopAfter: isRefused,
    ...extra,
  };
}

const ways: ReadonlyArray<[string, (options: VolleyOptions) => Promise<Ledger>]> = [
  ['autocannon', autocannonVolley],
  ['the undici pool', poolVolley],
];

test('the ledger of the pool tells which connection each request went over', async () => {
  const { origin } = await serving((_number, response) => response.end('[]'));
  const { entries } = await poolVolley(optionsFor(origin, 12, 3));
  expect(new Set(entries.map(({ connection }) => connection)).size).toBe(3);
});

describe.each(ways)('a volley by %s', (_name, send) => {
  it.each([
    [61, 1],
    [61, 10],
    [61, 61],
    [7, 100],
  ])('of %i requests over %i connections accounts for each of them', async (count, connections) => {
    const { origin, arrived } = await serving((_number, response) => response.end('[]'));
    const ledger = await send(optionsFor(origin, count, connections));
    expect(arrived()).toBe(count);
    expect(ledger.exact).toBe(true);
    expect(countEntries(ledger.entries)).toEqual({
      sent: count,
      admitted: count,
      refused: 0,
      failed: 0,
      sentAfterFirst429: 0,
    });
  });

  it('one at a time sends nothing after the first 429', async () => {
    const { origin, arrived } = await serving(limitedTo(60));
    const ledger = await send(optionsFor(origin, 200, 1));
    expect(arrived()).toBe(61);
    expect(countEntries(ledger.entries)).toEqual({
      sent: 61,
      admitted: 60,
      refused: 1,
      failed: 0,
      sentAfterFirst429: 0,
    });
    expect(ledger.exact).toBe(true);
  });

  it('over ten connections sends at most what was then under way', async () => {
    const { origin, arrived } = await serving(limitedTo(60));
    const ledger = await send(optionsFor(origin, 200, 10));
    const counts = countEntries(ledger.entries);
    expect(arrived()).toBe(counts.sent);
    expect(counts.admitted).toBe(60);
    expect(counts.refused).toBeLessThanOrEqual(10);
    expect(counts.sentAfterFirst429).toBe(0);
    expect(ledger.exact).toBe(true);
  });

  it('sends each request as planned and keeps head and body of its answer', async () => {
    const { origin } = await serving((_number, response, { method, url, headers }) => {
      response.setHeader('X-Echo', `${method} ${url} ${headers['content-length'] ?? 'none'}`);
      response.end(`body of ${url}`);
    });
    const requests = [
      request('/a'),
      request('/b', { method: 'POST', body: '{"name":"Ä"}' }),
      request('/c?limit=1'),
    ];
    const ledger = await send({ ...optionsFor(origin, 0, 1), requests });
    expect(ledger.entries.map((entry) => entryHeader(entry, 'x-echo')[0])).toEqual([
      'GET /a none',
      'POST /b 13',
      'GET /c?limit=1 none',
    ]);
    expect(ledger.entries.map(({ body }) => Buffer.from(body).toString())).toEqual([
      'body of /a',
      'body of /b',
      'body of /c?limit=1',
    ]);
  });

  it('is not exact where the server drops connections without an answer', async () => {
    const { origin } = await serving((number, response) => {
      if (number % 7 === 0) response.socket?.destroy();
      else response.end('[]');
    });
    const ledger = await send(optionsFor(origin, 60, 4));
    expect(ledger.exact).toBe(false);
    expect(ledger.inexact).toMatch(/got no answer/);
  });

  it('is not exact where nothing listens, and says why', async () => {
    const { origin, close } = await serving((_number, response) => response.end());
    await close();
    const ledger = await send(optionsFor(origin, 5, 1));
    expect(ledger.exact).toBe(false);
    expect(ledger.inexact).toMatch(/nothing listens/);
  });

  it('gives up a request whose answer does not come', async () => {
    const { origin } = await serving((number, response) => {
      if (number !== 2) response.end('[]');
    });
    const ledger = await send(optionsFor(origin, 3, 1));
    expect(ledger.entries[1]?.failure?.kind).toBe('timeout');
    expect(ledger.exact).toBe(false);
  });

  it('ends early when it is interrupted', async () => {
    const stop = new AbortController();
    const { origin, arrived } = await serving((number, response) => {
      if (number === 20) stop.abort();
      setTimeout(() => response.end('[]'), 2);
    });
    await send(optionsFor(origin, 500, 1, { signal: stop.signal }));
    expect(arrived()).toBeLessThan(30);
  });
});

describe('a volley', () => {
  it('goes on by the undici pool where the server closes its connections, and stays exact', async () => {
    const { origin, arrived } = await serving((_number, response) => {
      response.setHeader('Connection', 'close');
      response.end('[]');
    });
    const ledger = await volley({ ...optionsFor(origin, 61, 1), sender: 'autocannon' });
    expect(arrived()).toBe(61);
    expect(ledger).toMatchObject({ sender: 'autocannon, then undici pool', exact: true, planned: 61 });
    expect(ledger.entries.map(({ index }) => index)).toEqual(ledger.entries.map((_entry, index) => index));
  });

  it('goes on by the undici pool where a connection carries ten requests', async () => {
    const { origin, arrived, server } = await serving((_number, response) => response.end('[]'));
    server.maxRequestsPerSocket = 10;
    const ledger = await volley({ ...optionsFor(origin, 100, 4), sender: 'autocannon' });
    expect(arrived()).toBe(100);
    expect(countEntries(ledger.entries).admitted).toBe(100);
    expect(ledger.exact).toBe(true);
  });

  it('is not exact by autocannon where interim answers come, and exact by the pool', async () => {
    const { origin } = await serving((_number, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      response.end('[]');
    });
    const first = await volley({ ...optionsFor(origin, 20, 2), sender: 'autocannon' });
    expect(first.exact).toBe(false);
    expect(first.inexact).toMatch(/interim answers/);
    const second = await volley({ ...optionsFor(origin, 20, 2), sender: 'pool' });
    expect(second.exact).toBe(true);
    expect(countEntries(second.entries).admitted).toBe(20);
  });

  it('counts nothing as sent after a 429 that was the last answer', async () => {
    const { origin } = await serving(limitedTo(2));
    const ledger = await volley({ ...optionsFor(origin, 3, 1), sender: 'autocannon' });
    expect(countEntries(ledger.entries)).toMatchObject({ refused: 1, sentAfterFirst429: 0 });
  });
});
