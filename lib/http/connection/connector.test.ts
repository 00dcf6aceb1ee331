import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createAuthority, issue } from '../../hostile/certificates.js';
import { listen, serveConnections } from '../../hostile/server.js';
import { createServer as createTlsServer } from 'node:https';
import { proxyFor } from './connector.js';
import { createTransport, type TransportOptions } from './transport.js';
import type { WireRequest } from '../exchange/planned-request.js';

const target = 'https://api.petstore.example/';
const proxy = 'http://proxy.example:3128';

describe('the proxy for an address', () => {
  it.each([
    [target, { HTTPS_PROXY: proxy }],
    ['http://a.example', { HTTP_PROXY: proxy }],
    [target, { HTTPS_PROXY: 'http://other.example', https_proxy: proxy }],
    [target, { HTTPS_PROXY: 'proxy.example:3128' }],
    ['https://mypetstore.example', { HTTPS_PROXY: proxy, NO_PROXY: 'petstore.example' }],
    [target, { HTTPS_PROXY: proxy, NO_PROXY: 'api.petstore.example:8443' }],
  ])('is taken for %s from %j', (origin, environment) => {
    expect(proxyFor(new URL(origin), environment)?.origin).toBe(proxy);
  });

  it.each([
    [target, {}],
    [target, { HTTP_PROXY: proxy }],
    [target, { HTTPS_PROXY: proxy, NO_PROXY: '*' }],
    [target, { HTTPS_PROXY: proxy, NO_PROXY: 'a.example, API.petstore.example' }],
    [target, { HTTPS_PROXY: proxy, NO_PROXY: 'petstore.example' }],
    [target, { HTTPS_PROXY: proxy, no_proxy: '.petstore.example' }],
    [target, { HTTPS_PROXY: proxy, NO_PROXY: 'api.petstore.example:443' }],
    ['https://[2001:db8::1]', { HTTPS_PROXY: proxy, NO_PROXY: '2001:db8::1' }],
    ['http://127.0.0.1:8080', { HTTP_PROXY: proxy }],
    ['http://localhost:8080', { HTTP_PROXY: proxy }],
  ])('is none for %s with %j', (origin, environment) => {
    expect(proxyFor(new URL(origin), environment)).toBeUndefined();
  });

  it.each(['socks5://user:secret@proxy.example', 'http://', 'ftp://user:secret@proxy.example'])(
    'has to be one for HTTP, and is not repeated where it is not: %s',
    (value) => {
      const read = () => proxyFor(new URL(target), { HTTPS_PROXY: value });
      expect(read).toThrow(/HTTPS_PROXY is not the address of an HTTP proxy/);
      expect(read).not.toThrow(/secret/);
    },
  );
});

const open: Array<() => Promise<void>> = [];

afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const request: WireRequest = {
  method: 'GET',
  path: '/v1/pets?limit=1',
  headers: [
    ['Authorization', 'Bearer the-key'],
    ['X-One', 'a'],
    ['X-One', 'b'],
  ],
};

function send(options: TransportOptions) {
  const transport = createTransport({ deadlineMs: 1_500, connectMs: 600, ...options });
  open.push(transport.close);
  return transport.send(request);
}

/** A proxy that finds every host on loopback, at the port that it is told. */
async function serveProxy(onward?: number): Promise<{ address: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer().on('connect', ({ url, headers }, socket) => {
    asked.push(`CONNECT ${url} ${headers['proxy-authorization'] ?? '-'} ${headers.authorization ?? '-'}`);
    if (onward === undefined) {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const through = connect(onward, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    through.on('error', () => socket.destroy());
    socket.on('error', () => through.destroy()).on('close', () => through.destroy());
    through.pipe(socket).pipe(through);
  });
  const { port, close } = await listen(server);
  open.push(close);
  return { address: `http://user:p%40ss@127.0.0.1:${port}`, asked };
}

const basic = `Basic ${Buffer.from('user:p@ss').toString('base64')}`;

describe('through a proxy', () => {
  it('http goes through a tunnel too', async () => {
    const server = createServer(({ headers, url }, response) => response.end(`${headers.host} ${url}`));
    const listening = await listen(server);
    open.push(listening.close);
    const { address, asked } = await serveProxy(listening.port);
    const result = await send({ origin: 'http://petstore.example', environment: { HTTP_PROXY: address } });
    expect(Buffer.from(result.body).toString()).toBe('petstore.example /v1/pets?limit=1');
    expect(asked).toEqual([`CONNECT petstore.example:80 ${basic} -`]);
  });

  it('https goes through a tunnel to the target itself, the key unseen by the proxy', async () => {
    const authority = await createAuthority();
    const certificate = await issue({ authority, name: null });
    const server = createTlsServer(certificate, ({ headers, rawHeaders }, response) =>
      response.end(
        JSON.stringify([
          headers.authorization,
          headers.host,
          rawHeaders.filter((name) => name === 'X-One').length,
        ]),
      ),
    );
    const listening = await listen(server);
    open.push(listening.close);
    const { address, asked } = await serveProxy(listening.port);
    const result = await send({
      origin: 'https://elsewhere.example:8443',
      ca: authority.cert,
      environment: { HTTPS_PROXY: address },
    });
    expect(result.failure).toBeUndefined();
    expect(JSON.parse(Buffer.from(result.body).toString())).toEqual([
      'Bearer the-key',
      'elsewhere.example:8443',
      2,
    ]);
    expect(asked).toEqual([`CONNECT elsewhere.example:8443 ${basic} -`]);
  });

  it('a refusal of the tunnel is named, the password is not', async () => {
    const { address } = await serveProxy();
    const { failure } = await send({
      origin: 'https://petstore.example',
      environment: { HTTPS_PROXY: address },
    });
    expect(failure?.kind).toBe('refused');
    expect(failure?.message).toMatch(/proxy 127\.0\.0\.1:\d+ refused the tunnel with 403/);
    expect(failure?.message).not.toMatch(/p@ss|p%40ss/);
  });

  it.each([
    ['says nothing', () => undefined],
    ['speaks no HTTP', (socket: Socket) => socket.end('hello\r\n\r\n')],
  ])('a proxy that %s is asked once: the target was not reached', async (_what, act) => {
    let connections = 0;
    const server = await serveConnections((socket) => {
      connections += 1;
      socket.once('data', () => act(socket));
    });
    open.push(server.close);
    const environment = { HTTPS_PROXY: new URL(server.baseUrl).origin };
    const { failure } = await send({ origin: 'https://petstore.example', environment });
    expect(failure?.kind).toBe('unreachable');
    expect(failure?.message).toContain('did not open a tunnel');
    expect(connections).toBe(1);
  });
});
