import { isIP, isIPv6 } from 'node:net';

/** Whether a host name or address, as in a URL, is this machine. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (isIPv6(host)) return host === '::1' || host.startsWith('::ffff:7f') || host.startsWith('::ffff:127.');
  if (isIP(host) === 4) return host.startsWith('127.');
  return host === 'localhost' || host.endsWith('.localhost');
}
