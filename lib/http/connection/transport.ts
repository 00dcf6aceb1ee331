import { firstValueOf } from '../headers/header-list.js';
import { Pool, type Dispatcher } from 'undici';
import { contentCodings, decodeBody } from '../body/decoded-body.js';
import { systemClock, type Clock } from '../clock/clock.js';
import { isNoConnection } from '../../evidence/recorded-exchange.js';
import type { WireRequest } from '../exchange/planned-request.js';
import { Connections } from './connections.js';
import { connectorFor, dispatcherOptions, type ConnectOptions } from './connector.js';
import type { TransportFailure } from './failure.js';
import { proxyAuthorization, proxyFor } from './proxy.js';
import { receive, type Reception } from './receiver.js';

export interface TransportOptions extends ConnectOptions {
  /** Scheme, host and port; nothing is ever sent to another. */
  readonly origin: string;
  /** Milliseconds for one request as a whole, from `send` to the last byte; default 10,000. */
  readonly deadlineMs?: number;
  /** Bytes of body that are read, and that are kept after decompression; default 10 MiB. */
  readonly maximumBytes?: number;
  /** Connections that may be open at a time; default 8. A request beyond them waits, and its deadline runs. */
  readonly connections?: number;
  /** Milliseconds that a new connection has for its first response before it may be waiting for others; default 1,000. */
  readonly crowdedMs?: number;
  /** What times are taken by; default the machine's. */
  readonly clock?: Clock;
}

/** An empty body and none are the same on the wire: `Content-Length: 0` for POST, nothing for GET (RFC 9110 8.6). */
export interface RawRequest extends WireRequest {
  readonly signal?: AbortSignal | undefined;
  /** Bytes of body for this response, if fewer than for others. */
  readonly maximumBytes?: number | undefined;
}

/** What came of a request. With `response` and `failure` both: the headers came; the body did not, or not correctly. */
export interface RawResult {
  /** When it was sent, in milliseconds since the Unix epoch: the durations begin here. */
  readonly sentAt?: number;
  readonly response?:
    | {
        readonly status: number;
        readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
        /** Decompressed if Content-Encoding says so. */
        readonly body: Uint8Array;
        /** Bytes of body received, before decompression. */
        readonly bytes: number;
        /** `body` is only the beginning. */
        readonly truncated: boolean;
        readonly firstByteMs: number;
      }
    | undefined;
  readonly failure?: TransportFailure | undefined;
  readonly totalMs: number;
  /** The connection that the request went over; absent if it was never written. */
  readonly connection?: string | undefined;
}

export interface Transport {
  /** Never rejects for anything that a server or a network does, and always ends by its deadline. */
  readonly send: (request: RawRequest) => Promise<RawResult>;
  /** Closes all connections; what is under way ends as `aborted`. */
  readonly close: () => Promise<void>;
}

/**
 * HTTP/1.1 to one origin over undici: no redirects, no retries, bounded decompression, no headers of its own except
 * `host`, `connection` and `content-length`. Throws at once if the options are wrong.
 */
export function createTransport(options: TransportOptions): Transport {
  const { deadlineMs = 10_000, maximumBytes = 10 * 1024 * 1024, clock = systemClock } = options;
  const connections = new Connections(options.crowdedMs);
  const { pool, apart, address, forwarder } = openPools(new URL(options.origin), options, connections);
  /** Whether anything but the proxy has responded. */
  let reached = forwarder === undefined;

  async function send(request: RawRequest): Promise<RawResult> {
    const sentAt = clock.now();
    let headAt = sentAt;
    const limit = Math.min(maximumBytes, request.maximumBytes ?? maximumBytes);
    const reception = await receive(request.apart ? apart : pool, address(request), {
      deadlineMs,
      maximumBytes: limit,
      signal: request.signal,
      onStart: (receiver) => connections.started(receiver),
      onComplete: (receiver) => connections.finished(receiver),
      onHead: () => {
        headAt = clock.now();
      },
    });
    const { head, connection } = reception;
    const refusal = forwarder && refusalOf(forwarder, reception, reached);
    if (refusal) return { sentAt, failure: refusal, totalMs: clock.now() - sentAt };
    reached ||= head !== undefined;
    const codings = contentCodings(head?.headers ?? []);
    const decoded = await decodeBody(reception.body, codings, limit, !reception.truncated);
    const failure = reception.failure ?? decoded.failure;
    const totalMs = clock.now() - sentAt;
    if (!head) return { sentAt, failure, totalMs, connection };
    const response = {
      status: head.status,
      headers: head.headers,
      body: decoded.body,
      bytes: reception.bytes,
      truncated: reception.truncated || decoded.truncated,
      firstByteMs: headAt - sentAt,
    };
    return { sentAt, response, failure, totalMs, connection };
  }

  return {
    send,
    close: async () => {
      await Promise.all([pool.destroy(), apart.destroy()]);
    },
  };
}

/**
 * What a proxy responds instead of the target: 407 is always the proxy's (RFC 9110 15.5.8), and so is a 502 or 504 until
 * something else has come.
 */
function refusalOf(proxy: URL, { head, failure }: Reception, reached: boolean): TransportFailure | undefined {
  // Connections are opened only to the proxy.
  if (failure && isNoConnection(failure.kind))
    return { ...failure, message: `the proxy ${proxy.host} can't be reached: ${failure.message}` };
  if (head?.status === 407)
    return { kind: 'refused', message: `the proxy ${proxy.host} refused the request with 407` };
  if (reached || (head?.status !== 502 && head?.status !== 504)) return undefined;
  return {
    kind: 'unreachable',
    message: `the proxy ${proxy.host} responded with ${head.status} for the target`,
  };
}

type Address = (request: RawRequest) => Dispatcher.DispatchOptions;

/** The connections to the target, or to the proxy before it, and how a request is addressed on them. */
function openPools(
  origin: URL,
  options: TransportOptions,
  connections: Connections,
): { pool: Pool; apart: Pool; address: Address; forwarder: URL | undefined } {
  const proxy = proxyFor(origin, options.environment ?? {});
  // http goes through a proxy in absolute form (RFC 9112 3.2.2), https through a tunnel, as proxies expect it.
  const forwarded = proxy !== undefined && origin.protocol === 'http:';
  const open = (): Pool =>
    new Pool((forwarded ? proxy : origin).origin, {
      ...dispatcherOptions,
      connections: options.connections ?? 8,
      connect: connections.watch(connectorFor(origin, options, forwarded)),
    });
  const address: Address = ({ method, path, headers, body, apart = false }) => {
    const sent: Array<readonly [string, string]> = [...headers];
    if (forwarded) {
      const authorization = proxyAuthorization(proxy);
      if (firstValueOf(headers, 'Host') === undefined) sent.unshift(['host', origin.host]);
      if (authorization) sent.push(['proxy-authorization', authorization]);
    }
    return {
      method,
      path: forwarded ? origin.origin + path : path,
      headers: sent.flat(),
      body: body ?? null,
      reset: apart,
    };
  };
  return { pool: open(), apart: open(), address, forwarder: forwarded ? proxy : undefined };
}
