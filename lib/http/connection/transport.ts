import { Pool, type Dispatcher } from 'undici';
import { contentCodings, decodeBody } from '../body/decoded-body.js';
import type { WireRequest } from '../exchange/planned-request.js';
import { Connections } from './connections.js';
import { directConnector, tunnelConnector } from './connector.js';
import { isNoConnection } from '../exchange/exchange.js';
import { describeFailure, type TransportFailure } from './failure.js';
import { proxyAuthorization, proxyFor, type Environment } from './proxy.js';
import { Receiver, type Reception } from './receiver.js';
import { tlsOptions } from './tls.js';

export interface TransportOptions {
  /** Scheme, host and port; nothing is ever sent to another. */
  origin: string;
  /** Milliseconds for one request as a whole, from `send` to the last byte; default 10,000. */
  deadlineMs?: number;
  /** Milliseconds for opening a connection, TLS included; default 5,000. */
  connectMs?: number;
  /** Bytes of body that are read, and that are kept after decompression; default 10 MiB. */
  maximumBytes?: number;
  /** Bytes of header names and values in one response; default 64 KiB. */
  maximumHeaderBytes?: number;
  /** Connections that may be open at a time; default 8. A request beyond them waits, and its deadline runs. */
  connections?: number;
  /** Milliseconds after which a new connection without an answer may be waiting for the others; default 1,000. */
  crowdedMs?: number;
  /** A certificate authority to be trusted beside the well-known ones, as PEM text. */
  ca?: string | undefined;
  /** Accept any certificate. Loopback targets only. */
  insecure?: boolean | undefined;
  /** Has HTTPS_PROXY, HTTP_PROXY and NO_PROXY; without it no proxy is used. */
  environment?: Environment | undefined;
}

/** An empty body and none are the same on the wire: `Content-Length: 0` for POST, nothing for GET (RFC 9110 8.6). */
export interface RawRequest extends WireRequest {
  readonly signal?: AbortSignal | undefined;
}

interface RawResponse {
  status: number;
  /** Names as the server spelt them, in order, repeated fields apart; each byte a character (latin1). */
  headers: [string, string][];
  /** Decompressed if Content-Encoding says so. */
  body: Uint8Array;
  /** Bytes of body received, before decompression. */
  bytes: number;
  /** `body` is only the beginning. */
  truncated: boolean;
  firstByteMs: number;
}

interface Sent {
  totalMs: number;
  /** The connection that the request went over; absent if it was never written. */
  connection?: string;
}

/** With `response` and `failure` both: the headers came, the rest did not, or not in order. */
export type RawResult =
  | (Sent & { response: RawResponse; failure?: TransportFailure })
  | (Sent & { response?: undefined; failure: TransportFailure });

export interface Transport {
  /** Never throws or rejects for anything that a server or a network does, and always ends by its deadline. */
  readonly send: (request: RawRequest) => Promise<RawResult>;
  /** Closes all connections; what is under way ends as `aborted`. */
  readonly close: () => Promise<void>;
}

/**
 * HTTP/1.1 to one origin over undici: no redirects, no retries, no decompression but a bounded one, no headers of its
 * own beyond `host`, `connection` and `content-length`. Throws at once on options that are wrong.
 */
export function createTransport(options: TransportOptions): Transport {
  const origin = new URL(options.origin);
  const deadlineMs = options.deadlineMs ?? 10_000;
  const maximumBytes = options.maximumBytes ?? 10 * 1024 * 1024;
  const connections = new Connections(options.crowdedMs);
  const { pool, address, forwarder } = openPool(origin, options, connections);
  /** Whether anything but the proxy has answered. */
  let reached = forwarder === undefined;
  const waiting = new Set<Receiver>();

  async function send(request: RawRequest): Promise<RawResult> {
    const sentAt = performance.now();
    const reception = await receive(request);
    const refusal = forwarder && refusalOf(forwarder, reception, reached);
    if (refusal) return { failure: refusal, totalMs: performance.now() - sentAt };
    reached ||= reception.head !== undefined;
    const decoded = await decodeBody(
      reception.body,
      contentCodings(reception.head?.headers ?? []),
      maximumBytes,
      !reception.truncated,
    );
    const failure = reception.failure ?? decoded.failure;
    const sent: Sent = {
      totalMs: performance.now() - sentAt,
      ...(reception.connection === undefined ? {} : { connection: reception.connection }),
    };
    if (!reception.head) {
      return { failure: failure ?? { kind: 'other', message: 'no response came' }, ...sent };
    }
    const response: RawResponse = {
      status: reception.head.status,
      headers: reception.head.headers,
      body: decoded.body,
      bytes: reception.bytes,
      truncated: reception.truncated || decoded.truncated,
      firstByteMs: reception.head.firstByteAt - sentAt,
    };
    return failure ? { response, failure, ...sent } : { response, ...sent };
  }

  function receive(request: RawRequest): Promise<Reception> {
    return new Promise((resolve) => {
      const { signal } = request;
      const started = (receiver: Receiver) => connections.starting(receiver);
      const receiver = new Receiver(maximumBytes, started, (reception) => {
        clearTimeout(deadline);
        signal?.removeEventListener('abort', abort);
        waiting.delete(receiver);
        if (!reception.failure) connections.answered(receiver);
        resolve(reception);
      });
      const deadline = setTimeout(() => {
        const what = receiver.answered ? 'the body of the response was not complete' : 'no response came';
        receiver.stop({ kind: 'timeout', message: `${what} within ${deadlineMs} ms` });
      }, deadlineMs);
      const abort = () => receiver.stop({ kind: 'aborted', message: 'the request was given up' });
      signal?.addEventListener('abort', abort);
      waiting.add(receiver);
      if (signal?.aborted) {
        abort();
        return;
      }
      try {
        pool.dispatch(address(request), receiver);
      } catch (error) {
        receiver.stop(describeFailure(error));
      }
    });
  }

  async function close(): Promise<void> {
    for (const receiver of waiting) receiver.stop({ kind: 'aborted', message: 'the client was closed' });
    await pool.destroy();
  }

  return { send, close };
}

/**
 * What a proxy that requests are sent to answers in the target's place: 407 is a proxy's alone (RFC 9110 15.5.8), and
 * until something else has come, so is the status of one that finds no way to the target.
 */
function refusalOf(proxy: URL, { head, failure }: Reception, reached: boolean): TransportFailure | undefined {
  // No connection is opened to anything but the proxy.
  if (failure && isNoConnection(failure.kind))
    return { ...failure, message: `the proxy ${proxy.host} can't be reached: ${failure.message}` };
  if (head?.status === 407)
    return { kind: 'refused', message: `the proxy ${proxy.host} refused the request with 407` };
  if (reached || (head?.status !== 502 && head?.status !== 504)) return undefined;
  return { kind: 'unreachable', message: `the proxy ${proxy.host} answers ${head.status} for the target` };
}

type Address = (request: RawRequest) => Dispatcher.DispatchOptions;

/** The connections to the target, or to the proxy before it, and how a request is addressed on them. */
function openPool(
  origin: URL,
  options: TransportOptions,
  connections: Connections,
): { pool: Pool; address: Address; forwarder: URL | undefined } {
  const connectMs = options.connectMs ?? 5_000;
  const tls = tlsOptions(origin.hostname, options.ca, options.insecure);
  const proxy = proxyFor(origin, options.environment ?? {});
  // http goes through a proxy in absolute form (RFC 9112 3.2.2), https through a tunnel, as proxies expect it.
  const forwarded = proxy !== undefined && origin.protocol === 'http:';
  const connector =
    proxy && !forwarded ? tunnelConnector(proxy, tls, connectMs) : directConnector(tls, connectMs);
  const pool = new Pool((forwarded ? proxy : origin).origin, {
    connections: options.connections ?? 8,
    pipelining: 1,
    connect: connections.watch(connector),
    maxHeaderSize: options.maximumHeaderBytes ?? 64 * 1024,
    // The deadline of the whole request is ours; undici's would begin anew with every byte.
    headersTimeout: 0,
    bodyTimeout: 0,
    // Shorter than any usual server's, so that a request seldom meets a connection that is just being closed.
    keepAliveTimeout: 2_000,
    keepAliveMaxTimeout: 2_000,
  });
  const address: Address = ({ method, path, headers, body }) => {
    const sent: Array<readonly [string, string]> = [...headers];
    if (forwarded) {
      const authorization = proxyAuthorization(proxy);
      if (!headers.some(([name]) => name.toLowerCase() === 'host')) sent.unshift(['host', origin.host]);
      if (authorization) sent.push(['proxy-authorization', authorization]);
    }
    return {
      method,
      path: forwarded ? origin.origin + path : path,
      headers: sent.flat(),
      body: body ?? null,
      // Not safe to repeat: undici must never send a request twice of its own accord.
      idempotent: false,
    };
  };
  return { pool, address, forwarder: forwarded ? proxy : undefined };
}
