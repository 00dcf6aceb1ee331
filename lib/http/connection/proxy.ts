import { isIPv6 } from 'node:net';
import { isLoopback } from './tls.js';

/** The environment variables that name proxies, in either case. */
export type Environment = Record<string, string | undefined>;

/**
 * The proxy that requests to `origin` go through, from HTTPS_PROXY, HTTP_PROXY and NO_PROXY as curl reads them
 * (lower case first; NO_PROXY lists hosts and domains, with or without port, or `*`). This machine itself is never
 * asked through a proxy. Throws if the variable is not an http(s) address; its text, which may hold a password, is not
 * repeated.
 */
export function proxyFor(origin: URL, environment: Environment): URL | undefined {
  if (isLoopback(origin.hostname) || isExempt(origin, variable(environment, 'NO_PROXY') ?? ''))
    return undefined;
  const name = origin.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const value = variable(environment, name);
  if (value === undefined) return undefined;
  const text = value.includes('://') ? value : `http://${value}`;
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  if (!proxy || (proxy.protocol !== 'http:' && proxy.protocol !== 'https:')) {
    throw new Error(`${name} is not the address of an HTTP proxy (http://host:port)`);
  }
  return proxy;
}

function variable(environment: Environment, name: string): string | undefined {
  const value = environment[name.toLowerCase()] ?? environment[name];
  return value === undefined || value.trim() === '' ? undefined : value.trim();
}

function isExempt(origin: URL, list: string): boolean {
  const host = origin.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = origin.port === '' ? (origin.protocol === 'https:' ? '443' : '80') : origin.port;
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      // A bare IPv6 address ends like a port.
      const [, name = '', entryPort] = isIPv6(entry)
        ? [entry, entry]
        : (/^\[?(.+?)\]?(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []);
      const domain = name.replace(/^\*?\./, '');
      return (
        (entryPort === undefined || entryPort === port) && (host === domain || host.endsWith(`.${domain}`))
      );
    });
}

/** The `Proxy-Authorization` for the user and password of a proxy's address, if it has one (RFC 7617). */
export function proxyAuthorization(proxy: URL): string | undefined {
  if (proxy.username === '' && proxy.password === '') return undefined;
  const credential = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return `Basic ${Buffer.from(credential).toString('base64')}`;
}
