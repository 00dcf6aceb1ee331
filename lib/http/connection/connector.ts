import { isIP, isIPv6, Socket } from 'node:net';
import { rootCertificates } from 'node:tls';
import { callbackify } from 'node:util';
import { buildConnector, Client } from 'undici';
import { isNoConnection, type FailureKind } from '../../evidence/recorded-exchange.js';
import { UsageProblem } from '../../explain/usage-problem.js';
import { describeFailure, TunnelFailure } from './failure.js';

export type Connector = buildConnector.connector;

type Environment = Record<string, string | undefined>;

export interface ConnectOptions {
  /** Milliseconds for opening a connection, TLS included. */
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
  if (proxy) return tunnelThrough(proxy, buildConnector(tls), { ...(tls.ca && { ca: tls.ca }), timeout });
  if (localAddress === undefined)
    // Node's 250 ms for each address of a host are too few for distant ones.
    return buildConnector({ ...tls, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1_000 });
  const connect = buildConnector({ ...tls, autoSelectFamily: false, family: isIP(localAddress) });
  return (request, callback) => connect({ ...request, localAddress }, callback);
}

/**
 * The proxy that requests to `origin` go through, from HTTPS_PROXY, HTTP_PROXY and NO_PROXY as curl reads them
 * (lower case first; NO_PROXY lists hosts and domains, with or without port, or `*`). This machine itself is never
 * asked through a proxy.
 * @throws UsageProblem if the variable is no http(s) address; its text, which may hold a password, is not repeated.
 */
export function proxyFor(origin: URL, environment: Environment): URL | undefined {
  const variable = (name: string): string =>
    (environment[name.toLowerCase()] ?? environment[name] ?? '').trim();
  const name = origin.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const value = variable(name);
  if (value === '' || isLoopback(origin.hostname) || isExempt(origin, variable('NO_PROXY'))) return undefined;
  const text = value.includes('://') ? value : `http://${value}`;
  if (!/^https?:/i.test(text) || !URL.canParse(text))
    throw new UsageProblem(`${name} is not the address of an HTTP proxy (http://host:port)`);
  return new URL(text);
}

/** Whether a host name or address, as in a URL, is this machine. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (isIPv6(host)) return host === '::1' || host.startsWith('::ffff:7f') || host.startsWith('::ffff:127.');
  if (isIP(host) === 4) return host.startsWith('127.');
  return host === 'localhost' || host.endsWith('.localhost');
}

function isExempt(origin: URL, list: string): boolean {
  const host = `.${origin.hostname.replaceAll(/[[\]]/g, '')}`;
  const entries = list.toLowerCase().split(/[\s,]+/);
  return entries.filter(Boolean).some((entry) => {
    const name = `.${entry.replaceAll(/^\*?\.|[[\]]/g, '')}`;
    return entry === '*' || host.endsWith(name) || `${host}:${portOf(origin)}`.endsWith(name);
  });
}

function portOf({ port, protocol }: Pick<URL, 'port' | 'protocol'>): string {
  return port || (protocol === 'https:' ? '443' : '80');
}

/**
 * Opens connections through an HTTP proxy's CONNECT (RFC 9110 9.3.6). undici's own ProxyAgent folds repeated request
 * headers into one, ends in no failure if the proxy closes its connections, and gives no socket to the lanes of a load.
 */
function tunnelThrough(
  proxy: URL,
  toTarget: Connector,
  connect: { readonly ca?: string[]; readonly timeout: number },
): Connector {
  const user = decodeURIComponent(`${proxy.username}:${proxy.password}`);
  const basic = `Basic ${Buffer.from(user).toString('base64')}`;
  // An error of our own: undici would connect again and again after some of its own codes.
  const failed = (kind: FailureKind, what: string): TunnelFailure =>
    new TunnelFailure({ kind, message: `the proxy ${proxy.host} ${what}` });
  const open = callbackify(async (host: string) => {
    const client = new Client(proxy.origin, { connect });
    const headers = { host, ...(user !== ':' && { 'proxy-authorization': basic }) };
    const signal = AbortSignal.timeout(connect.timeout);
    const { statusCode, socket } = await client
      .connect({ path: host, headers, signal })
      .catch((error: unknown) => {
        void client.destroy();
        const { kind, message } = describeFailure(error);
        throw failed(isNoConnection(kind) ? kind : 'unreachable', `did not open a tunnel: ${message}`);
      });
    // The socket no longer belongs to the proxy's client: closing that client leaves it open.
    void client.close();
    if (statusCode >= 200 && statusCode <= 299 && socket instanceof Socket) return socket;
    socket.on('error', () => undefined).destroy();
    throw failed('refused', `refused the tunnel with ${statusCode}`);
  });
  return (options, callback) => {
    const { hostname, protocol } = options;
    const host = hostname.includes(':') ? `[${hostname}]` : hostname;
    open(`${host}:${portOf(options)}`, (error, httpSocket) => {
      if (error) callback(error, null);
      else if (protocol === 'https:') toTarget({ ...options, httpSocket }, callback);
      else callback(null, httpSocket);
    });
  };
}
