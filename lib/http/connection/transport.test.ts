import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { hostileKey, type HostileTarget } from '../../hostile/fixture.js';
import { listen, serveConnections, serveRequests, writeAndThen } from '../../hostile/server.js';
import { closedPort } from '../../testing/ports.js';
import { createTransport, type Transport, type TransportOptions } from './transport.js';
import type { WireRequest } from '../exchange/planned-request.js';
import type { Received } from './reception.js';

const open: Array<() => Promise<void>> = [];

afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

function transport(options: TransportOptions): Transport {
  const created = createTransport({ deadlineMs: 8_000, ...options });
  open.push(created.close);
  return created;
}

const get: WireRequest = {
  method: 'GET',
  path: '/v1/pets',
  headers: [
    ['Authorization', `Bearer ${hostileKey}`],
    ['Accept', 'application/json'],
  ],
};

async function toRaw(bytes: string | Uint8Array, options: Partial<TransportOptions> = {}): Promise<Received> {
  const target = await serveRequests((socket) => socket.end(bytes));
  return transport({ origin: originOf(target), ...options }).send(get);
}

/** A server that keeps what it was asked, as it stood on the wire. */
async function witness(): Promise<{ origin: string; requests: string[] }> {
  const requests: string[] = [];
  const target = await serveRequests((socket, request) => {
    requests.push(request);
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]');
  });
  return { origin: originOf(target), requests };
}

/** A server of `[]`, and what a listener for its connections sees. */
async function httpServer(delayMs = 0, onConnection: (socket: Socket) => void = () => undefined) {
  const server = createServer((_request, response) => setTimeout(() => response.end('[]'), delayMs));
  const { port, close } = await listen(server.on('connection', onConnection));
  return originOf({ baseUrl: `http://127.0.0.1:${port}`, close });
}

/** Its origin; it is closed after the test. */
function originOf({ baseUrl, close }: HostileTarget): string {
  open.push(close);
  return new URL(baseUrl).origin;
}

function textOf(result: Received): string {
  return Buffer.from(result.body).toString();
}

describe('what goes onto the wire', () => {
  it('is the path as given, not normalised', async () => {
    const { origin, requests } = await witness();
    await transport({ origin }).send({ ...get, path: '/v1/../v1/./pets/%2e%2e?limit=1&limit=%20#x' });
    expect(requests[0]).toMatch(/^GET \/v1\/\.\.\/v1\/\.\/pets\/%2e%2e\?limit=1&limit=%20#x HTTP\/1\.1\r\n/);
  });

  it('is the headers as given, repeated ones too, and none but the necessary beside them', async () => {
    const { origin, requests } = await witness();
    await transport({ origin }).send({
      ...get,
      headers: [
        ['X-One', 'a'],
        ['x-one', 'b'],
      ],
    });
    expect(requests[0]?.split('\r\n').slice(1)).toEqual([
      `host: ${new URL(origin).host}`,
      'connection: keep-alive',
      'X-One: a',
      'x-one: b',
      '',
      '',
    ]);
  });

  it.each([
    ['GET', '', /\r\n\r\n$/, /content-length/i],
    ['GET', '{}', /content-length: 2\r\n\r\n\{\}$/, /chunked/],
    ['POST', '', /content-length: 0\r\n\r\n$/, /chunked/],
    ['POST', '{"na', /content-length: 4\r\n\r\n\{"na$/, /chunked/],
  ])('is %s with the body %j in its length', async (method, body, present, absent) => {
    const { origin, requests } = await witness();
    await transport({ origin }).send({ ...get, method, body });
    expect(requests[0]).toMatch(present);
    expect(requests[0]).not.toMatch(absent);
  });

  it('is each request once, whatever becomes of it', async () => {
    const requests: string[] = [];
    const target = await serveRequests((socket, request) => {
      requests.push(request);
      if (requests.length === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]');
      else socket.resetAndDestroy();
    });
    const { send } = transport({ origin: originOf(target), connections: 1 });
    expect((await send(get)).failure).toBeUndefined();
    const second = await send(get);
    expect(second.failure?.kind).toBe('reset');
    expect(second.failure?.message).toContain('kept open after an earlier request');
    expect(requests).toHaveLength(2);
  });

  it.each([
    [
      'a header with a line break',
      { ...get, headers: [['X-Key', `a\r\n${hostileKey}`]] satisfies [string, string][] },
    ],
    ['a method that is none', { ...get, method: 'GET /' }],
  ])('is nothing where HTTP cannot carry it: %s', async (_what, request) => {
    const { origin, requests } = await witness();
    const result = await transport({ origin }).send(request);
    expect(result.failure?.kind).toBe('other');
    expect(result.failure?.message).toMatch(/cannot be sent/);
    expect(result.failure?.message).not.toContain(hostileKey);
    expect(requests).toHaveLength(0);
  });
});

describe('what comes back', () => {
  it('keeps header names, order and repetition, byte for byte', async () => {
    const result = await toRaw(
      'HTTP/1.1 200 OK\r\nx-B: 1\r\nX-b:  2 \r\nA: \u00fc\r\nSet-Cookie: a, b\r\nContent-Length: 0\r\n\r\n',
    );
    expect(result.headers).toEqual([
      ['x-B', '1'],
      ['X-b', '2'],
      ['A', Buffer.from('\u00fc').toString('latin1')],
      ['Set-Cookie', 'a, b'],
      ['Content-Length', '0'],
    ]);
  });

  it('counts bytes as received and keeps no more than the limit', async () => {
    const exact = await toRaw('HTTP/1.1 200 OK\r\n\r\n12345', { maximumBytes: 5 });
    expect([exact.failure, exact.truncated, textOf(exact)]).toEqual([undefined, false, '12345']);
    const longer = await toRaw('HTTP/1.1 200 OK\r\n\r\n123456', { maximumBytes: 5 });
    expect([longer.failure?.kind, longer.truncated, textOf(longer)]).toEqual(['too-large', true, '12345']);
    expect(longer.bytes).toBe(6);
  });

  it('is too long where its header fields are too many, short as they may be', async () => {
    const fields = (count: number): string => `HTTP/1.1 200 OK\r\n${'a:\r\n'.repeat(count)}\r\n`;
    expect((await toRaw(fields(1_001))).failure?.message).toMatch(/more than 1000 header fields/);
    expect((await toRaw(fields(1_000))).failure).toBeUndefined();
  });

  it('is a complete response where only its end was missed', async () => {
    const result = await toRaw('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]\r\n\r\n');
    // Empty lines between messages are allowed (RFC 9112 2.2).
    expect([result.failure, textOf(result)]).toEqual([undefined, '[]']);
  });

  it('is a failure of its own for a signal, with the response as far as it came', async () => {
    const controller = new AbortController();
    const begun = 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[1';
    const target = await serveRequests((socket) => writeAndThen(socket, begun, () => controller.abort()));
    const result = await transport({ origin: originOf(target), signal: controller.signal }).send(get);
    expect([result.failure?.kind, result.status, textOf(result)]).toEqual(['aborted', 200, '[1']);
  });

  it('ends by the deadline also where requests wait for a connection', async () => {
    const target = await serveConnections(() => undefined);
    const { send } = transport({ origin: originOf(target), connections: 1, deadlineMs: 200 });
    const results = await Promise.all([send(get), send(get), send(get)]);
    expect(results.map(({ failure }) => failure?.kind)).toEqual(['timeout', 'timeout', 'timeout']);
    // They began together, and so they end: none has a deadline that begins when it gets a connection.
    const ends = results.map(({ endedAt }) => endedAt);
    expect(Math.max(...ends) - Math.min(...ends)).toBeLessThan(200);
  });

  it('is `aborted` for what is under way when the transport is closed', async () => {
    const target = await serveConnections(() => undefined);
    const { send, close } = createTransport({ origin: originOf(target) });
    const pending = send(get);
    await close();
    expect((await pending).failure?.kind).toBe('aborted');
    expect((await send(get)).failure?.kind).toBe('aborted');
  });
});

describe('connections', () => {
  it('have names, which tell who shares one', async () => {
    const origin = await httpServer();
    const one = transport({ origin, connections: 1 });
    const first = await one.send(get);
    const second = await one.send(get);
    const { send } = transport({ origin });
    const together = await Promise.all([send(get), send(get)]);
    expect(first.connection).toMatch(/^c\d+$/);
    expect(second.connection).toBe(first.connection);
    expect(new Set(together.map(({ connection }) => connection)).size).toBe(2);
  });

  it('carry one request if it is sent apart', async () => {
    const { send } = transport({ origin: await httpServer(), connections: 1 });
    const apart = { ...get, apart: true };
    const names = [];
    for (const request of [get, apart, apart, get]) names.push((await send(request)).connection);
    expect(new Set(names).size).toBe(3);
    expect(names[3]).toBe(names[0]);
  });

  it('have no name for a request that was never written', async () => {
    const { send } = transport({ origin: `http://127.0.0.1:${closedPort}` });
    expect((await send(get)).connection).toBeUndefined();
  });

  it('are no more than allowed at a time', async () => {
    let most = 0;
    let present = 0;
    const origin = await httpServer(10, (socket) => {
      most = Math.max(most, (present += 1));
      socket.on('close', () => (present -= 1));
    });
    const { send } = transport({ origin, connections: 3 });
    const results = await Promise.all(Array.from({ length: 12 }, () => send(get)));
    expect(results.every(({ status }) => status === 200)).toBe(true);
    expect(most).toBe(3);
  });
});
