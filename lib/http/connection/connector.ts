import { isIP } from 'node:net';
import { rootCertificates } from 'node:tls';
import { buildConnector } from 'undici';
import { isLoopback } from './loopback.js';
import { proxyFor, tunnelThrough, type Environment } from './proxy.js';
import { remoteAddressOf, type RemoteAddress } from './remote-address.js';

export type Connector = buildConnector.connector;

/** How connections to a target are opened. */
export interface ConnectOptions {
  /** Milliseconds for opening a connection, TLS included; default 5,000. */
  readonly connectMs?: number;
  /** A certificate authority to be trusted beside the well-known ones, as PEM text. */
  readonly ca?: string | undefined;
  /** What the client shows of itself, as PEM texts. */
  readonly clientCertificate?: { readonly cert: string; readonly key: string } | undefined;
  /** Accept any certificate. Loopback targets only. */
  readonly insecure?: boolean | undefined;
  /** The variables HTTPS_PROXY, HTTP_PROXY and NO_PROXY are read from this; without it no proxy is used. */
  readonly environment?: Environment | undefined;
  /** The source address that connections are bound to; its family is that of the connections. */
  readonly localAddress?: string | undefined;
  /** Called with where each connection went. */
  readonly connected?: ((to: RemoteAddress | undefined) => void) | undefined;
}

/** Opens connections to the target, through the tunnel of a proxy if the environment names one. Throws if an option is wrong. */
export function connectorFor(origin: URL, options: ConnectOptions): Connector {
  const { connectMs: timeout = 5_000, environment = {}, localAddress, connected } = options;
  const tls = { ...trustFor(origin.hostname, options), timeout };
  const proxy = proxyFor(origin, environment);
  const family =
    localAddress === undefined
      ? // Node's 250 ms for each address of a host are too few for distant ones.
        { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1_000 }
      : { autoSelectFamily: false, family: isIP(localAddress) };
  const connect = proxy
    ? tunnelThrough(proxy, buildConnector(tls), tls)
    : buildConnector({ ...tls, ...family });
  return (request, callback) =>
    connect(localAddress === undefined ? request : { ...request, localAddress }, (...result) => {
      if (result[1]) connected?.(remoteAddressOf(result[1], proxy !== undefined));
      callback(...result);
    });
}

/**
 * Trust for a target: the well-known authorities, and that of `ca` (PEM text) beside them. `insecure` accepts any
 * certificate and is for loopback only: elsewhere it would give the key to anybody, so it throws.
 */
function trustFor(
  hostname: string,
  { ca, insecure, clientCertificate }: ConnectOptions,
): {
  readonly ca?: string[];
  readonly rejectUnauthorized?: boolean;
  readonly cert?: string;
  readonly key?: string;
} {
  if (insecure && !isLoopback(hostname)) {
    throw new Error(
      `--insecure is only for targets on this machine, which ${hostname} is not: use --ca=FILE`,
    );
  }
  if (ca !== undefined && !ca.includes('-----BEGIN CERTIFICATE-----'))
    throw new Error('the file of --ca does not contain a PEM certificate ("-----BEGIN CERTIFICATE-----")');
  return {
    ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
    ...(insecure && { rejectUnauthorized: false }),
    ...clientCertificate,
  };
}
