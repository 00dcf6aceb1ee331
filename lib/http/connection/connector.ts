import { Socket } from 'node:net';
import { callbackify } from 'node:util';
import { buildConnector, Client } from 'undici';
import { isNoConnection } from '../exchange/exchange.js';
import { describeFailure, TunnelFailure } from './failure.js';
import { proxyAuthorization } from './proxy.js';
import type { TlsOptions } from './tls.js';

export type Connector = buildConnector.connector;

/** Opens connections straight to the target, giving up after `connectMs`. */
export function directConnector(tls: TlsOptions, connectMs: number): Connector {
  // Node's 250 ms for each address of a host are too few for far ones: the next one would be tried for nothing.
  return buildConnector({
    ...tls,
    timeout: connectMs,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 1_000,
  });
}

/**
 * Opens connections through an HTTP proxy's CONNECT (RFC 9110 9.3.6). undici's own ProxyAgent folds repeated request
 * headers into one and forgets the limits on response headers, so that only its connector is used here.
 */
export function tunnelConnector(proxy: URL, tls: TlsOptions, connectMs: number): Connector {
  const toTarget = buildConnector({ ...tls, timeout: connectMs });
  const tunnel = callbackify((authority: string) => openTunnel(proxy, authority, tls, connectMs));
  return (options, callback) => {
    const port = options.port === '' ? (options.protocol === 'https:' ? '443' : '80') : options.port;
    const host = options.hostname.includes(':') ? `[${options.hostname}]` : options.hostname;
    tunnel(`${host}:${port}`, (error, httpSocket) => {
      if (error) callback(error, null);
      else if (options.protocol === 'https:') toTarget({ ...options, httpSocket }, callback);
      else callback(null, httpSocket);
    });
  };
}

async function openTunnel(
  proxy: URL,
  authority: string,
  tls: TlsOptions,
  connectMs: number,
): Promise<Socket> {
  const authorization = proxyAuthorization(proxy);
  const client = new Client(proxy.origin, {
    connect: { ...(tls.ca ? { ca: tls.ca } : {}), timeout: connectMs },
  });
  const answer = await client
    .connect({
      path: authority,
      headers: { host: authority, ...(authorization ? { 'proxy-authorization': authorization } : {}) },
      signal: AbortSignal.timeout(connectMs),
    })
    .catch((error: unknown) => {
      void client.destroy();
      const { kind, message } = describeFailure(error);
      // In a class of its own: undici takes some codes of its own for passing ones and would connect again and again.
      // Whatever went wrong, the target was not reached.
      throw new TunnelFailure({
        kind: isNoConnection(kind) ? kind : 'unreachable',
        message: `the proxy ${proxy.host} opens no tunnel: ${message}`,
      });
    });
  // The socket is the proxy client's no longer; closing that client leaves it open.
  void client.close();
  const { statusCode, socket } = answer;
  if (!(socket instanceof Socket)) throw new TypeError('undici gave a tunnel that is no socket');
  if (statusCode >= 200 && statusCode <= 299) return socket;
  socket.on('error', () => undefined).destroy();
  throw new TunnelFailure({
    kind: 'refused',
    message: `the proxy ${proxy.host} refused the tunnel with ${statusCode}`,
  });
}
