import { isIP, isIPv6 } from 'node:net';
import { rootCertificates } from 'node:tls';

/** The TLS options of a connection. */
export interface TlsOptions {
  ca?: string[];
  rejectUnauthorized?: boolean;
}

/** Whether a host name or address, as in a URL, is this machine. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (isIPv6(host)) return host === '::1' || host.startsWith('::ffff:7f') || host.startsWith('::ffff:127.');
  if (isIP(host) === 4) return host.startsWith('127.');
  return host === 'localhost' || host.endsWith('.localhost');
}

/**
 * Trust for a target: the well-known authorities, and that of `ca` (PEM text) beside them. `insecure` accepts any
 * certificate and is for loopback only: elsewhere it would give the key to anybody, so it throws.
 */
export function tlsOptions(
  hostname: string,
  ca: string | undefined,
  insecure: boolean | undefined,
): TlsOptions {
  if (insecure && !isLoopback(hostname)) {
    throw new Error(
      `--insecure is only for targets on this machine, which ${hostname} is not: use --ca=FILE`,
    );
  }
  if (ca !== undefined && !ca.includes('-----BEGIN CERTIFICATE-----')) {
    throw new Error('the file of --ca does not contain a PEM certificate ("-----BEGIN CERTIFICATE-----")');
  }
  return {
    ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
    ...(insecure ? { rejectUnauthorized: false } : {}),
  };
}
