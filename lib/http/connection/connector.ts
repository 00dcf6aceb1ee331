import { isIP } from 'node:net';
import { rootCertificates } from 'node:tls';
import { buildConnector } from 'undici';
import { proxyFor, tunnelThrough, type Environment } from './proxy.js';

export type Connector = buildConnector.connector;

/** How connections to a target are opened. */
export interface ConnectOptions {
  /** Milliseconds for opening a connection, TLS included; default 5,000. */
  readonly connectMs?: number;
  /** A certificate authority to be trusted beside the well-known ones, as PEM text. */
  readonly ca?: string | undefined;
  /** What the client shows of itself, as PEM texts. */
  readonly clientCertificate?: { readonly cert: string; readonly key: string } | undefined;
  /** The variables HTTPS_PROXY, HTTP_PROXY and NO_PROXY are read from this; without it no proxy is used. */
  readonly environment?: Environment | undefined;
  /** The source address that connections are bound to; its family is that of the connections. */
  readonly localAddress?: string | undefined;
}

/** Opens connections to the target, through the tunnel of a proxy if the environment names one. Throws if that is no address. */
export function connectorFor(origin: URL, options: ConnectOptions): Connector {
  const { connectMs: timeout = 5_000, ca, clientCertificate, environment = {}, localAddress } = options;
  const tls = { timeout, ...(ca !== undefined && { ca: [...rootCertificates, ca] }), ...clientCertificate };
  const proxy = proxyFor(origin, environment);
  if (proxy) return tunnelThrough(proxy, buildConnector(tls), tls);
  if (localAddress === undefined)
    // Node's 250 ms for each address of a host are too few for distant ones.
    return buildConnector({ ...tls, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1_000 });
  const connect = buildConnector({ ...tls, autoSelectFamily: false, family: isIP(localAddress) });
  return (request, callback) => connect({ ...request, localAddress }, callback);
}
