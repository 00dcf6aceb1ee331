import { Pool } from 'undici';
import { systemClock, type Clock } from '../clock/clock.js';
import type { WireRequest } from '../exchange/planned-request.js';
import { connectorFor, type ConnectOptions } from './connector.js';
import { startDeadline } from './deadline.js';
import { receive } from './receiver.js';
import type { Received } from './reception.js';

export interface TransportOptions extends ConnectOptions {
  /** Scheme, host and port; nothing is ever sent to another. */
  readonly origin: string;
  /** Milliseconds for one request as a whole, from `send` to the last byte; default 10,000. */
  readonly deadlineMs?: number;
  /** Bytes of body that are read, and that are kept after decompression; default 10 MiB. */
  readonly maximumBytes?: number;
  /** Connections that may be open at a time; default 8. A request beyond them waits, and its deadline runs. */
  readonly connections?: number;
  /** Milliseconds without a response after which a request may be waiting for another connection's end; default 1,000. */
  readonly crowdedMs?: number;
  /** What times are taken by; default the machine's. */
  readonly clock?: Clock;
  /** Closes it. */
  readonly signal?: AbortSignal;
}

/** An empty body and none are the same on the wire: `Content-Length: 0` for POST, nothing for GET (RFC 9110 8.6). */
export interface RawRequest extends WireRequest {
  /** Bytes of body for this response, if fewer than for others. */
  readonly maximumBytes?: number | undefined;
}

export type Transport = ReturnType<typeof createTransport>;

/**
 * HTTP/1.1 to one origin over undici: no redirects, no retries, no headers of its own except `host`, `connection` and
 * `content-length`. Throws at once if the options are wrong.
 *
 * A target may serve fewer connections at a time than it accepts: one, if it has a single thread. A new connection then
 * waits until another one is closed. If a request waits while others get responses, idle connections are closed, and
 * from then on each connection after its response.
 */
export function createTransport(options: TransportOptions) {
  const { deadlineMs = 10_000, maximumBytes = 10 * 1024 * 1024, clock = systemClock } = options;
  const { connections = 8, crowdedMs = 1_000, signal } = options;
  const { origin } = new URL(options.origin);
  const connect = connectorFor(new URL(origin), options);
  const open = (pipelining: 0 | 1): Pool =>
    new Pool(origin, {
      connect,
      pipelining,
      connections,
      maxHeaderSize: 64 * 1024,
      // The deadline of the whole request is ours; undici's would begin anew with every byte.
      headersTimeout: 0,
      bodyTimeout: 0,
      // Shorter than any usual server's, so that a request seldom meets a connection that is just being closed.
      keepAliveTimeout: 2_000,
      keepAliveMaxTimeout: 2_000,
    });
  let keptOpen = open(1);
  const closedEach = open(0);
  let isCrowded = false;
  let responses = 0;
  let slowestMs = 0;

  /** Closes idle connections, so that a target that takes few of them takes those of other senders. */
  async function makeRoom(): Promise<void> {
    const used = keptOpen;
    keptOpen = open(1);
    await used.close();
  }

  /** Never rejects for anything that a server or a network does, and always ends by its deadline. */
  async function send({ method, path, headers, body, ...own }: RawRequest): Promise<Received> {
    const began = performance.now();
    const before = responses;
    const endWatch = startDeadline(Math.max(crowdedMs, 3 * slowestMs), () => {
      if (responses === before || isCrowded) return;
      isCrowded = true;
      void makeRoom();
    });
    const request = { method, path, body: body ?? null, headers: headers.flat() };
    return receive(own.apart || isCrowded ? closedEach : keptOpen, request, {
      clock,
      deadlineMs,
      maximumBytes: Math.min(maximumBytes, own.maximumBytes ?? maximumBytes),
      onHead: () => {
        endWatch();
        responses += 1;
        slowestMs = Math.max(slowestMs, performance.now() - began);
      },
    }).finally(endWatch);
  }

  /** Closes all connections; what is under way ends as `aborted`. */
  async function close(): Promise<void> {
    await Promise.all([keptOpen.destroy(), closedEach.destroy()]);
  }

  signal?.addEventListener('abort', () => void close(), { once: true });
  return { send, makeRoom, close };
}
