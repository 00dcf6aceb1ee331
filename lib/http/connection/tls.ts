import { isIP, isIPv6 } from 'node:net';
import { rootCertificates } from 'node:tls';

/** What of TLS a connection is made with. */
export interface TlsOptions {
  ca?: string[];
  rejectUnauthorized?: boolean;
}

/** Whether a host name or address, as it stands in a URL, is this machine itself. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (isIPv6(host)) return host === '::1' || host.startsWith('::ffff:7f') || host.startsWith('::ffff:127.');
  if (isIP(host) === 4) return host.startsWith('127.');
  return host === 'localhost' || host.endsWith('.localhost');
}

/**
 * Trust for a target: the well-known authorities, and that of `ca` (PEM text) beside them. `insecure` accepts any
 * certificate and is for loopback alone: elsewhere it would hand the key to whoever answers, so it throws.
 */
export function tlsOptions(
  hostname: string,
  ca: string | undefined,
  insecure: boolean | undefined,
): TlsOptions {
  if (insecure && !isLoopback(hostname)) {
    throw new Error(
      `--insecure is for targets on this machine alone, and ${hostname} is none: use --ca=FILE`,
    );
  }
  if (ca !== undefined && !ca.includes('-----BEGIN CERTIFICATE-----')) {
    throw new Error(
      'the certificate authority (--ca) holds no PEM certificate ("-----BEGIN CERTIFICATE-----")',
    );
  }
  return {
    ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
    ...(insecure ? { rejectUnauthorized: false } : {}),
  };
}
