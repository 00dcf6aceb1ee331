import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import run, { type Client, type Result } from 'autocannon/lib/run.js';
import { describe, expect, it } from 'vitest';

/** What lanes rely on in autocannon, which no document promises: each test names the field that has changed. */
const require = createRequire(import.meta.url);

/** Starts so many clients that open nothing, and hands over what they count. */
function start(connections = 1): { clients: Client[]; calls: string[]; counted: Promise<Result> } {
  const clients: Client[] = [];
  const calls: string[] = [];
  const unused = { __custom: true, recordValue: () => undefined, destroy: () => undefined };
  const counted = new Promise<Result>((resolve) => {
    run(
      {
        url: 'http://127.0.0.1:1',
        connections,
        amount: Number.MAX_SAFE_INTEGER,
        pipelining: 1,
        timeout: 2_000_000,
        sampleInt: 1,
        method: 'GET',
        requests: [{}],
        skipAggregateResult: true,
        histograms: { latencies: unused, requests: unused, throughput: unused },
        setupClient(client) {
          clients.push(client);
          client.conn = new Socket();
          client._connect = () => calls.push('connect');
        },
      },
      new EventEmitter(),
      (_, result) => resolve(result),
    );
  });
  return { clients, calls, counted };
}

/** A client whose queue of requests notes what is done with it, over a connection that notes what is written. */
function watched() {
  const { clients, calls, counted } = start();
  const [client] = clients;
  if (!client) throw new Error('setupClient was not called');
  const write = client._doRequest.bind(client);
  client._doRequest = () => void calls.push('next');
  client.getRequestBuffer = () => Buffer.from('GET / HTTP/1.1\r\n\r\n');
  client.pipelinedRequests = {
    insertRequest: () => void calls.push('inserted'),
    setHeaders: ({ statusCode, headers, shouldKeepAlive }) =>
      void calls.push(`head ${statusCode} ${headers.join(' ')} ${shouldKeepAlive}`),
    addBody: (bytes) => void calls.push(`body ${bytes.toString()}`),
    terminateRequest() {
      calls.push('terminated');
      return { headers: { statusCode: 200 } };
    },
    clear: () => void calls.push('cleared'),
  };
  const socket = new Socket();
  socket.write = (bytes) => {
    calls.push(String(bytes));
    return true;
  };
  client.conn = socket;
  calls.length = 0;
  return { client, calls, write, counted };
}

describe('autocannon', () => {
  it('is the version that lanes were made for', () => {
    expect((require('autocannon/package.json') as { version: string }).version).toBe('9.0.0');
  });

  it('calls setupClient before it connects, once for each client', () => {
    const { clients, calls } = start(3);
    expect(clients).toHaveLength(3);
    expect(calls).toEqual(['connect', 'connect', 'connect']);
    for (const client of clients) client.destroy();
  });

  it('writes one request with `_doRequest`, by `getRequestBuffer`, `pipelinedRequests` and `conn`', () => {
    const { client, calls, write } = watched();
    write();
    expect(calls).toEqual(['inserted', 'GET / HTTP/1.1\r\n\r\n']);
    client.destroy();
  });

  it('parses a response with `parser`, hands it to `pipelinedRequests`, and then calls `_doRequest`', () => {
    const { client, calls } = watched();
    client.parser.initialize(client.parser.constructor.RESPONSE);
    client.parser.execute(Buffer.from('HTTP/1.1 200 OK\r\nX-One: a\r\nContent-Length: 2\r\n\r\n[]'));
    expect(calls).toEqual(['head 200 X-One a Content-Length 2 true', 'body []', 'terminated', 'next']);
    client.destroy();
  });

  it('reads the handlers of the parser when a response comes, and skips the body if the head says so', () => {
    const { client, calls } = watched();
    const { parser } = client;
    const { kOnHeadersComplete, kOnMessageComplete } = parser.constructor;
    parser[kOnHeadersComplete] = () => 1;
    parser[kOnMessageComplete] = () => calls.push('complete');
    parser.initialize(parser.constructor.RESPONSE);
    parser.execute(Buffer.from('HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n'));
    expect(calls).toEqual(['complete']);
    client.destroy();
  });

  it('ends a body without a length by `parser.finish`, and no other', () => {
    const { client, calls } = watched();
    const { parser } = client;
    parser.initialize(parser.constructor.RESPONSE);
    parser.execute(Buffer.from('HTTP/1.0 200 OK\r\n\r\nall'));
    expect(parser.finish()).toBeUndefined();
    expect(calls).toContain('terminated');
    parser.initialize(parser.constructor.RESPONSE);
    parser.execute(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nal'));
    expect(parser.finish()).toBeInstanceOf(Error);
    client.destroy();
  });

  it('refuses what is no response, and heads beyond `maxHeaderSize`, with an error', () => {
    const { client } = watched();
    const { parser } = client;
    parser.initialize(parser.constructor.RESPONSE);
    expect(parser.execute(Buffer.from('SSH-2.0-OpenSSH\r\n'))).toBeInstanceOf(Error);
    parser.maxHeaderSize = 100;
    parser.initialize(parser.constructor.RESPONSE);
    const long = parser.execute(Buffer.from(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(200)}\r\n`));
    expect(long).toBeInstanceOf(Error);
    expect(String(long)).toContain('max header');
    client.destroy();
  });

  it('reads fields as bytes with the `encoding` latin1', () => {
    const { client, calls } = watched();
    const { parser } = client;
    parser.constructor.encoding = 'latin1';
    parser.initialize(parser.constructor.RESPONSE);
    parser.execute(Buffer.from('HTTP/1.1 204 No\r\nX-One: \xe4\r\n\r\n', 'latin1'));
    expect(calls[0]).toContain('\u00e4');
    client.destroy();
  });

  it('clears `pipelinedRequests` when a client is destroyed, and counts by its own events, one more for each client', async () => {
    const { client, calls, write, counted } = watched();
    const { parser } = client;
    write();
    parser.initialize(parser.constructor.RESPONSE);
    parser.execute(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
    write();
    client.emit('connError', new Error('lost'));
    client.destroy();
    expect(calls.at(-1)).toBe('cleared');
    expect(await counted).toMatchObject({
      totalRequests: 1 + 2,
      statusCodeStats: { '200': { count: 1 } },
      errors: 1,
    });
  });
});
