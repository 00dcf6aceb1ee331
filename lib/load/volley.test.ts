import { lookup } from 'node:dns/promises';
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { credentialsFor } from '../http/exchange/credential.js';
import { systemClock } from '../http/clock/clock.js';
import { limitedTo, startCountingServer, type CountingServer } from './testing/counting-server.js';
import { volley, type VolleyOptions } from './fire.js';
import type { LedgerEntry } from './ledger.js';
import type { PlannedRequest } from '../http/exchange/planned-request.js';
import { closedPort } from '../testing/ports.js';

/** On some machines localhost has no IPv6 address. */
const hasBoth = await lookup('localhost', { family: 6 }).then(
  () => true,
  () => false,
);

let server: CountingServer | undefined;
afterEach(() => server?.close());

async function serving(...answer: Parameters<typeof startCountingServer>): Promise<CountingServer> {
  server = await startCountingServer(...answer);
  return server;
}

const request = (path = '/v1/pets', extra: Partial<PlannedRequest> = {}): PlannedRequest => ({
  method: 'GET',
  path,
  operation: 'listPets',
  credential: credentialsFor('a-key-of-some-length').valid,
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
    target: { baseUrl: origin, userAgent: 'test', deadlineMs: 1_000 },
    requests: Array.from({ length: count }, () => request()),
    connections,
    clock: systemClock,
    signal: new AbortController().signal,
    stopAfter: isRefused,
    ...extra,
  };
}

describe('a volley', () => {
  it.each([
    [61, 1],
    [61, 10],
    [61, 61],
    [7, 100],
  ])('of %i requests over %i connections accounts for each of them', async (count, connections) => {
    const { origin, arrived } = await serving((_number, response) => response.end('[]'));
    const ledger = await volley(optionsFor(origin, count, connections));
    expect(arrived()).toBe(count);
    expect(lost(ledger)).toEqual([]);
    expect(countEntries(ledger)).toEqual({
      sent: count,
      admitted: count,
      refused: 0,
      failed: 0,
      sentAfterFirst429: 0,
    });
  });

  it('one at a time sends nothing after the first 429', async () => {
    const { origin, arrived } = await serving(limitedTo(60));
    const ledger = await volley(optionsFor(origin, 200, 1));
    expect(arrived()).toBe(61);
    expect(countEntries(ledger)).toEqual({
      sent: 61,
      admitted: 60,
      refused: 1,
      failed: 0,
      sentAfterFirst429: 0,
    });
    expect(lost(ledger)).toEqual([]);
  });

  it('over ten connections sends at most what was then under way', async () => {
    const { origin, arrived } = await serving(limitedTo(60));
    const ledger = await volley(optionsFor(origin, 200, 10));
    const counts = countEntries(ledger);
    expect(arrived()).toBe(counts.sent);
    expect(counts.admitted).toBe(60);
    expect(counts.refused).toBeLessThanOrEqual(10);
    expect(counts.sentAfterFirst429).toBe(0);
    expect(lost(ledger)).toEqual([]);
  });

  it('says why if nothing listens', async () => {
    const ledger = await volley(optionsFor(`http://127.0.0.1:${closedPort}`, 5, 1));
    expect(lost(ledger)[0]).toMatch(/nothing listens/);
  });

  it('ends early when it is interrupted', async () => {
    const stop = new AbortController();
    const { origin, arrived } = await serving((number, response) => {
      if (number === 20) stop.abort();
      setTimeout(() => response.end('[]'), 2);
    });
    await volley(optionsFor(origin, 500, 1, { signal: stop.signal }));
    expect(arrived()).toBeLessThan(30);
  });

  it('tells which connection each request went over', async () => {
    const { origin } = await serving((_number, response) => response.end('[]'));
    const ledger = await volley(optionsFor(origin, 12, 3));
    expect(connectionsServed(ledger)).toBe(3);
  });

  it('sends one request at a time, each from the next source address', async () => {
    const from: Array<string | undefined> = [];
    let underWay = 0;
    let most = 0;
    const { origin } = await serving((_number, response, { socket }) => {
      from.push(socket.remoteAddress);
      underWay += 1;
      most = Math.max(most, underWay);
      setTimeout(() => {
        underWay -= 1;
        response.end('[]');
      }, 1);
    });
    const localAddresses = ['127.0.0.2', '127.0.0.3'];
    const entries = await volley(optionsFor(origin, 8, 4, { localAddresses, inTurn: true }));
    expect(most).toBe(1);
    expect(from).toEqual([0, 1, 2, 3].flatMap(() => localAddresses));
    expect(entries.map(({ destination }) => destination.localAddress)).toEqual(from);
    expect(new Set(entries.map(({ connection }) => connection)).size).toBe(4);
  });

  it.skipIf(!hasBoth)('reaches a host over IPv4 and IPv6 from addresses of both', async () => {
    const from: Array<string | undefined> = [];
    const respond: Parameters<typeof startCountingServer>[0] = (_number, response, { socket }) => {
      from.push(socket.remoteAddress);
      response.end('[]');
    };
    const { origin } = await serving(respond);
    const { port } = new URL(origin);
    const six = createServer((request, response) => respond(0, response, request));
    await new Promise<void>((resolve) => six.listen(Number(port), '::1', resolve));
    const localAddresses = ['127.0.0.1', '::1'];
    const options = optionsFor(`http://localhost:${port}`, 4, 2, { localAddresses, inTurn: true });
    const ledger = await volley(options);
    six.close();
    expect(lost(ledger)).toEqual([]);
    expect(from).toEqual([...localAddresses, ...localAddresses]);
  });

  it('can close each connection after its response', async () => {
    const headers: Array<string | undefined> = [];
    const { origin } = await serving((_number, response, request) => {
      headers.push(request.headers.connection);
      response.end('[]');
    });
    const ledger = await volley(optionsFor(origin, 10, 2, { closeConnections: true }));
    expect(headers).toEqual(Array.from({ length: 10 }, () => 'close'));
    expect(connectionsServed(ledger)).toBe(10);
    expect(lost(ledger)).toEqual([]);
  });

  it('has every response of a server that serves one connection at a time', async () => {
    const { origin, server } = await serving((_number, response) => response.end('[]'));
    serveOneAtATime(server);
    const ledger = await volley(optionsFor(origin, 8, 4, { stopAfter: () => false }));
    expect(lost(ledger)).toEqual([]);
    expect(connectionsServed(ledger)).toBe(4);
  });

  it('loses requests at a server that refuses more connections than it takes, and none over as many as that', async () => {
    const { origin, server } = await serving((_number, response) => response.end('[]'));
    server.maxConnections = 4;
    const many = await volley(optionsFor(origin, 20, 20, { stopAfter: () => false }));
    expect(lost(many).length).toBeGreaterThan(0);
    expect(connectionsServed(many)).toBeLessThan(20);
    const few = await volley(optionsFor(origin, 20, 2, { stopAfter: () => false, closeConnections: true }));
    expect(lost(few)).toEqual([]);
  });

  it('counts nothing as sent after a 429 that was the last response', async () => {
    const { origin } = await serving(limitedTo(2));
    const ledger = await volley(optionsFor(origin, 3, 1));
    expect(countEntries(ledger)).toMatchObject({ refused: 1, sentAfterFirst429: 0 });
  });
});

/** Accepts every connection, and serves the next one only when the one before is closed. */
function serveOneAtATime(server: Server): void {
  const [serve] = server.listeners('connection');
  const waiting: Socket[] = [];
  let serving = false;
  const next = (): void => {
    const socket = waiting.shift();
    serving = socket !== undefined;
    socket?.once('close', next);
    if (socket) serve?.call(server, socket);
  };
  server.removeAllListeners('connection').on('connection', (socket: Socket) => {
    waiting.push(socket);
    if (!serving) next();
  });
}

function isRefused({ status }: LedgerEntry): boolean {
  return status === 429;
}

/** What became of the requests of a ledger, in numbers. */
function countEntries(entries: readonly LedgerEntry[]) {
  const firstRefusal = Math.min(...entries.filter(isRefused).map(({ at }) => at));
  const admitted = entries.filter(({ status }) => status === 200).length;
  const refused = entries.filter(isRefused).length;
  return {
    sent: entries.length,
    admitted,
    refused,
    failed: entries.length - admitted - refused,
    sentAfterFirst429: entries.filter(({ sentAt }) => sentAt > firstRefusal).length,
  };
}

/** How many connections brought at least one response. */
function connectionsServed(entries: readonly LedgerEntry[]): number {
  return new Set(entries.flatMap(({ status, connection }) => (status === null ? [] : connection))).size;
}

/** Why requests got no response. */
function lost(entries: readonly LedgerEntry[]): Array<string | undefined> {
  return entries.filter(({ status }) => status === null).map(({ failure }) => failure?.message);
}
