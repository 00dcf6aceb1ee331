import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTransport } from '../http/connection/transport.js';
import type { WireRequest } from '../http/exchange/planned-request.js';
import { deadlineFor } from './conformance-run.js';
import { hostileKey } from './fixture.js';
import { hostileFixtures } from './fixture-list.js';
import { serveRequests } from './server.js';

const get: WireRequest = {
  method: 'GET',
  path: '/v1/pets',
  headers: [['Authorization', `Bearer ${hostileKey}`]],
};

describe('the transport bears a target of which', () => {
  for (const fixture of hostileFixtures) {
    const { name, title, serve, failure: expected, status } = fixture;
    it.concurrent(`${name}: ${title}`, async () => {
      const target = await serve();
      const transport = createTransport({
        origin: new URL(target.baseUrl).origin,
        deadlineMs: deadlineFor(fixture),
        maximumBytes: 6 * 1024 ** 2,
        ca: target.ca,
      });
      try {
        const { status: received, failure } = await transport.send(get);
        expect(received).toBe(status ?? (expected ? null : 200));
        expect(failure?.kind).toBe(expected?.kind);
        expect(failure?.message ?? '').toMatch(expected?.message ?? /^$/);
        // One line for people, without text from the server and without secrets.
        expect(failure?.message ?? '').toMatch(/^[\u0020-\u007e]*$/);
        expect(failure?.message ?? '').not.toContain(hostileKey);
        expect(target.leakedCredentials?.() ?? 0).toBe(0);
        if (expected?.kind !== 'not-http') return;
        // A connection that is closed after its response shows the same.
        const apart = await transport.send({ ...get, apart: true });
        expect(apart.failure?.kind).toBe('not-http');
      } finally {
        await transport.close();
        await target.close();
      }
    });
  }
});

it('has fixtures with names of their own, and more than enough of them', () => {
  const names = hostileFixtures.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThan(80);
});

const whole =
  'HTTP/1.1 200 OK\r\nContent-Length: 12\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n' +
  'Connection: close\r\n\r\n5\r\nabcde\r\n0\r\n\r\n';
const pieces = [
  ...whole.split(/(?<=[ :,]|\r\n)/),
  'HTTP/1.1 103 \r\n\r\n',
  'HTTP/1.1 100 \r\n',
  '\r\n\r\n',
  '-1',
  '\0',
  '\u00ff',
];
const almostHttp = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 20 })
  .map((parts) => Buffer.from(parts.join(''), 'latin1'));

it('the transport bears whatever bytes a server sends, and goes on to the next request', async () => {
  let bytes: Uint8Array = new Uint8Array();
  const target = await serveRequests((socket) => socket.end(bytes));
  const transport = createTransport({ origin: new URL(target.baseUrl).origin, deadlineMs: 1_000 });
  const law = fc.asyncProperty(almostHttp, fc.boolean(), async (drawn, begun) => {
    bytes = begun ? Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n'), drawn]) : drawn;
    const { status, failure } = await transport.send(get);
    expect(status ?? failure).toBeDefined();
    expect(failure?.kind).not.toBe('other');
  });
  try {
    await fc.assert(law, { numRuns: 400 });
  } finally {
    await transport.close();
    await target.close();
  }
});
