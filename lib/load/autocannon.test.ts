import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import Client from 'autocannon/lib/httpClient.js';
import { describe, expect, it } from 'vitest';

/** What lanes rely on in autocannon, which no document promises: each test names the field that has changed. */
const require = createRequire(import.meta.url);

/** A client that opens nothing, whose queue of requests notes what is done with it, as its connection notes what is written. */
function watched() {
  const calls: string[] = [];
  const Watched = class extends Client {
    override _connect(): void {
      calls.push('connect');
    }
    override _doRequest(): void {
      calls.push('next');
    }
    override getRequestBuffer(): Buffer {
      return Buffer.from('GET / HTTP/1.1\r\n\r\n');
    }
    override pipelinedRequests = {
      insertRequest: () => void calls.push('inserted'),
      setHeaders: ({ statusCode, headers, shouldKeepAlive }: ParsedHead) =>
        void calls.push(`head ${statusCode} ${headers.join(' ')} ${shouldKeepAlive}`),
      addBody: (bytes: Buffer) => void calls.push(`body ${bytes.toString()}`),
      terminateRequest() {
        calls.push('terminated');
        return { headers: { statusCode: 200 } };
      },
      clear: () => void calls.push('cleared'),
    };
    write(): void {
      super._doRequest();
    }
  };
  const client = new Watched({ timeout: 2_000_000 });
  const socket = new Socket();
  socket.write = (bytes) => {
    calls.push(String(bytes));
    return true;
  };
  client.conn = socket;
  return { client, calls };
}

type ParsedHead = Parameters<Client['pipelinedRequests']['setHeaders']>[0];

describe('autocannon', () => {
  it('is the version that lanes were made for', () => {
    expect((require('autocannon/package.json') as { version: string }).version).toBe('9.0.0');
  });

  it('opens its connection with `_connect` when it is made, and writes nothing by itself', () => {
    const { client, calls } = watched();
    expect(calls).toEqual(['connect']);
    client.destroy();
  });

  it('writes one request with `_doRequest`, by `getRequestBuffer`, `pipelinedRequests` and `conn`', () => {
    const { client, calls } = watched();
    client.write();
    expect(calls).toEqual(['connect', 'inserted', 'GET / HTTP/1.1\r\n\r\n']);
    client.destroy();
  });

  it('parses a response with `parser`, hands it to `pipelinedRequests`, and then calls `_doRequest`', () => {
    const { client, calls } = watched();
    client.parser.initialize(client.parser.constructor.RESPONSE);
    client.parser.execute(Buffer.from('HTTP/1.1 200 OK\r\nX-One: a\r\nContent-Length: 2\r\n\r\n[]'));
    expect(calls.slice(1)).toEqual([
      'head 200 X-One a Content-Length 2 true',
      'body []',
      'terminated',
      'next',
    ]);
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
    expect(calls[1]).toContain('\u00e4');
    client.destroy();
  });

  it('closes `conn`, and clears `pipelinedRequests`, when a client is destroyed', () => {
    const { client, calls } = watched();
    client.destroy();
    expect([client.conn.destroyed, calls.at(-1)]).toEqual([true, 'cleared']);
  });
});
