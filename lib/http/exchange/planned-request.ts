import type { Credential } from './credential.js';
import type { Exchange, OperationName } from './exchange.js';
import type { Redact } from '../body/recorded-body.js';
import type { RawRequest } from '../connection/transport.js';

/** One request, as a probe wants it sent. */
export interface Ask {
  readonly purpose: string;
  /** The part of the run that sends it. */
  readonly phase?: string;
  readonly operation: OperationName | null;
  readonly input: Exchange['input'];
  readonly method: string;
  /** Behind the base address, query included, sent as it is: `/pets?limit=1`. */
  readonly path: string;
  readonly credential: Credential;
  readonly headers?: ReadonlyArray<readonly [string, string]>;
  readonly body?: string;
}

/** The headers that a request is sent with. */
export function headersOf(ask: Ask, userAgent: string): Array<[string, string]> {
  const { authorization } = ask.credential;
  return [
    ['User-Agent', userAgent],
    ['Accept', 'application/json'],
    ...(authorization === undefined ? [] : [['Authorization', authorization] satisfies [string, string]]),
    ...(ask.headers ?? []).map(([name, value]): [string, string] => [name, value]),
  ];
}

/** The request as it is recorded: without the key. */
export function recordedRequest(
  ask: Ask,
  baseUrl: string,
  headers: ReadonlyArray<readonly [string, string]>,
  redact: Redact,
): Exchange['request'] {
  return {
    method: ask.method,
    url: redact(baseUrl + ask.path),
    headers: headers.map(([name, value]) => [
      name,
      name === 'Authorization' ? (ask.credential.display ?? value) : value,
    ]),
    ...(ask.body === undefined ? {} : { body: redact(ask.body) }),
  };
}

/** The request as it goes out. */
export function rawRequest(
  ask: Ask,
  baseUrl: string,
  headers: RawRequest['headers'],
  signal: AbortSignal,
): RawRequest {
  const { pathname } = new URL(baseUrl);
  return {
    method: ask.method,
    path: (pathname === '/' ? '' : pathname) + ask.path,
    headers,
    signal,
    ...(ask.body === undefined ? {} : { body: ask.body }),
  };
}
