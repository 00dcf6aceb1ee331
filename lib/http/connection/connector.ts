import { isIP, Socket } from 'node:net';
import { callbackify } from 'node:util';
import { buildConnector, Client } from 'undici';
import { isNoConnection } from '../../evidence/recorded-exchange.js';
import { describeFailure, TunnelFailure } from './failure.js';
import { proxyAuthorization, proxyFor, type Environment } from './proxy.js';
import { remoteAddressOf, type RemoteAddress } from './remote-address.js';
import { tlsOptions, type TlsOptions } from './tls.js';

export type Connector = buildConnector.connector;

/** How connections to a target are opened. */
export interface ConnectOptions {
  /** Milliseconds for opening a connection, TLS included; default 5,000. */
  readonly connectMs?: number;
  /** A certificate authority to be trusted beside the well-known ones, as PEM text. */
  readonly ca?: string | undefined;
  /** Accept any certificate. Loopback targets only. */
  readonly insecure?: boolean | undefined;
  /** The variables HTTPS_PROXY, HTTP_PROXY and NO_PROXY are read from this; without it no proxy is used. */
  readonly environment?: Environment | undefined;
  /** The source address that connections are bound to; its family is that of the connections. */
  readonly localAddress?: string | undefined;
  /** Called with where each connection went. */
  readonly connected?: ((to: RemoteAddress | undefined) => void) | undefined;
}

/** What all dispatchers of undici are opened with. */
export const dispatcherOptions = {
  pipelining: 1,
  maxHeaderSize: 64 * 1024,
  // The deadline of the whole request is ours; undici's would begin anew with every byte.
  headersTimeout: 0,
  bodyTimeout: 0,
  // Shorter than any usual server's, so that a request seldom meets a connection that is just being closed.
  keepAliveTimeout: 2_000,
  keepAliveMaxTimeout: 2_000,
} as const;

/** Opens connections to the target, through the tunnel of a proxy if there is one and it is not `forwarded` to. */
export function connectorFor(origin: URL, options: ConnectOptions, forwarded = false): Connector {
  const { connectMs = 5_000, environment = {}, localAddress, connected } = options;
  const tls = tlsOptions(origin.hostname, options.ca, options.insecure);
  const proxy = forwarded ? undefined : proxyFor(origin, environment);
  const connect = proxy
    ? tunnelConnector(proxy, tls, connectMs)
    : buildConnector({
        ...tls,
        timeout: connectMs,
        ...(localAddress === undefined
          ? // Node's 250 ms for each address of a host are too few for distant ones.
            { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1_000 }
          : { autoSelectFamily: false, family: isIP(localAddress) }),
      });
  return (request, callback) =>
    connect(localAddress === undefined ? request : { ...request, localAddress }, (...result) => {
      if (result[1]) connected?.(remoteAddressOf(result[1], forwarded || proxy !== undefined));
      callback(...result);
    });
}

/**
 * Opens connections through an HTTP proxy's CONNECT (RFC 9110 9.3.6). undici's own ProxyAgent folds repeated request
 * headers into one and ignores the limits on response headers, so only its connector is used.
 */
function tunnelConnector(proxy: URL, tls: TlsOptions, connectMs: number): Connector {
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
  const { statusCode, socket } = await client
    .connect({
      path: authority,
      headers: { host: authority, ...(authorization ? { 'proxy-authorization': authorization } : {}) },
      signal: AbortSignal.timeout(connectMs),
    })
    .catch((error: unknown) => {
      void client.destroy();
      const { kind, message } = describeFailure(error);
      // An error of our own: undici would connect again and again after some of its own codes.
      throw new TunnelFailure({
        kind: isNoConnection(kind) ? kind : 'unreachable',
        message: `the proxy ${proxy.host} did not open a tunnel: ${message}`,
      });
    });
  // The socket no longer belongs to the proxy's client: closing that client leaves it open.
  void client.close();
  if (!(socket instanceof Socket)) throw new TypeError('undici opened a tunnel that is not a socket');
  if (statusCode >= 200 && statusCode <= 299) return socket;
  socket.on('error', () => undefined).destroy();
  throw new TunnelFailure({
    kind: 'refused',
    message: `the proxy ${proxy.host} refused the tunnel with ${statusCode}`,
  });
}
