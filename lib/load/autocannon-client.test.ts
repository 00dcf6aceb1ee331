import { createRequire } from 'node:module';
import { afterEach, expect, it } from 'vitest';
import { runAutocannon, type AutocannonClient, type AutocannonHead } from './autocannon-client.js';
import { startCountingServer, type CountingServer } from './testing/counting-server.js';

let server: CountingServer | undefined;
afterEach(() => server?.close());

it('is the version whose undocumented fields a volley leans on', () => {
  const { version } = createRequire(import.meta.url)('autocannon/package.json') as { version: string };
  expect(version).toBe('9.0.0');
});

it('ends a client at its next request once `responseMax` is not above `reqsMade`', async () => {
  server = await startCountingServer((_number, response) => response.end('[]'));
  const made: number[] = [];
  await runAutocannon({
    url: server.origin,
    connections: 1,
    amount: 50,
    timeout: 2,
    setupClient(client: AutocannonClient) {
      expect(client.reqsMade).toBe(0);
      expect(client.responseMax).toBe(50);
      client.on('headers', () => {
        made.push(client.reqsMade);
        if (made.length === 7) client.responseMax = client.reqsMade;
      });
    },
  });
  expect(made).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(server.arrived()).toBe(7);
});

it('tells of the head of an answer its status, its headers as they were spelt, and whether the connection stays', async () => {
  server = await startCountingServer((number, response) => {
    response.setHeader('X-RateLimit-Limit', '60');
    if (number === 2) response.setHeader('Connection', 'close');
    response.end('[]');
  });
  const heads: AutocannonHead[] = [];
  await runAutocannon({
    url: server.origin,
    connections: 1,
    amount: 2,
    timeout: 2,
    setupClient: (client) => void client.on('headers', (head) => heads.push(head)),
  });
  expect(heads.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  expect(heads[0]?.headers.slice(0, 2)).toEqual(['X-RateLimit-Limit', '60']);
  expect(heads.map(({ shouldKeepAlive }) => shouldKeepAlive)).toEqual([true, false]);
});

it('tells of each request before it is written, and of the connection’s end in the place of an answer by the next one', async () => {
  server = await startCountingServer((number, response) => {
    if (number === 2) response.socket?.destroy();
    else response.end('[]');
  });
  const events: string[] = [];
  await runAutocannon({
    url: server.origin,
    connections: 1,
    amount: 3,
    timeout: 2,
    setupClient(client) {
      client.on('request', () => events.push('request'));
      client.on('headers', () => events.push('headers'));
      client.on('connError', () => events.push('error'));
    },
  });
  expect(events.filter((event) => event !== 'error')).toEqual([
    'request',
    'headers',
    'request',
    'request',
    'headers',
  ]);
});
