import { Socket } from 'node:net';
import { callbackify } from 'node:util';
import { Client, type buildConnector } from 'undici';
import { isNoConnection } from '../../evidence/recorded-exchange.js';
import { UsageProblem } from '../../explain/usage-problem.js';
import { describeFailure, TunnelFailure } from './failure.js';
import { isLoopback } from './loopback.js';

/** The environment variables that name proxies, in either case. */
export type Environment = Record<string, string | undefined>;

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
export function tunnelThrough(
  proxy: URL,
  toTarget: buildConnector.connector,
  { ca, timeout }: { readonly ca?: string[]; readonly timeout: number },
): buildConnector.connector {
  const user = decodeURIComponent(`${proxy.username}:${proxy.password}`);
  const basic = `Basic ${Buffer.from(user).toString('base64')}`;
  const open = callbackify(async (host: string) => {
    const client = new Client(proxy.origin, { connect: { ...(ca && { ca }), timeout } });
    const headers = { host, ...(user !== ':' && { 'proxy-authorization': basic }) };
    const signal = AbortSignal.timeout(timeout);
    const { statusCode, socket } = await client
      .connect({ path: host, headers, signal })
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
    if (statusCode >= 200 && statusCode <= 299 && socket instanceof Socket) return socket;
    socket.on('error', () => undefined).destroy();
    const message = `the proxy ${proxy.host} refused the tunnel with ${statusCode}`;
    throw new TunnelFailure({ kind: 'refused', message });
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
