import type { Destination } from '../http/exchange/planned-request.js';

/** The target of a load, and how connections to it are made. */
export interface LoadTarget extends Destination {
  /** Milliseconds for one request, from sending to the last byte. */
  readonly timeoutMs: number;
  /** A certificate authority to be trusted beside the well-known ones, as PEM text. */
  readonly ca?: string | undefined;
  /** Accept any certificate. Loopback targets only. */
  readonly insecure?: boolean | undefined;
  /** Has HTTPS_PROXY, HTTP_PROXY and NO_PROXY; without it no proxy is used. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}
