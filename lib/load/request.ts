import type { CredentialKind, OperationName } from '../http/exchange/exchange.js';

/** One request of a load, complete: what goes on the wire and what the record says of it. */
export interface PlannedRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query as they are to stand on the wire, the base address's path included. */
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
  readonly operation: OperationName;
  readonly credential: CredentialKind;
  /** The environment variable that holds the key. */
  readonly caller?: string;
  /** The part of the run that sends it. */
  readonly phase?: string;
  /** See exchange.ts: whether the specification says what has to follow. */
  readonly input: 'specified' | 'silent';
  /** The catalogue id that asks, or the name of a preparation. */
  readonly purpose: string;
}

/** Where a load goes, and how connections to it are made. */
export interface LoadTarget {
  /** Scheme, host and port. Nothing is sent to another. */
  readonly origin: string;
  /** Milliseconds for one request, from sending to the last byte; whole seconds for autocannon, at least 1,000. */
  readonly timeoutMs: number;
  /** A certificate authority to be trusted beside the well-known ones, as PEM text. */
  readonly ca?: string | undefined;
  /** Accept any certificate. Loopback targets only. */
  readonly insecure?: boolean | undefined;
  /** Where HTTPS_PROXY, HTTP_PROXY and NO_PROXY are read from; without it no proxy is used. */
  readonly environment?: Record<string, string | undefined> | undefined;
}
