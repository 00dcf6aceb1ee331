import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { errors, Pool, type Dispatcher } from 'undici';
import { systemClock, type Clock } from '../clock/clock.js';
import type { WireRequest } from '../exchange/planned-request.js';
import { fieldsOf, firstValueOf } from '../headers/header-list.js';
import { connectorFor, type ConnectOptions } from './connector.js';
import { describeFailure, type TransportFailure } from './failure.js';
import { Reception, startDeadline, type Received, type ReceptionOptions } from './reception.js';

export interface TransportOptions extends ConnectOptions {
  /** Scheme, host and port; nothing is ever sent to another. */
  readonly origin: string;
  /** Milliseconds for one request as a whole, from `send` to the last byte. */
  readonly deadlineMs?: number;
  /** Bytes of body that are read, and that are kept after decompression. */
  readonly maximumBytes?: number;
  /** Connections that may be open at a time. A request beyond them waits, and its deadline runs. */
  readonly connections?: number;
  /** Milliseconds without a response after which a request may be waiting for another connection's end. */
  readonly crowdedMs?: number;
  readonly clock?: Clock;
  /** Closes all connections. */
  readonly signal?: AbortSignal;
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
  async function send({ method, path, headers, body, ...own }: WireRequest): Promise<Received> {
    const began = performance.now();
    const before = responses;
    const endWatch = startDeadline(Math.max(crowdedMs, 3 * slowestMs), () => {
      if (responses === before || isCrowded) return;
      isCrowded = true;
      void makeRoom();
    });
    // undici must never send a request twice of its own accord.
    const request = { method, path, body: body ?? null, headers: headers.flat(), idempotent: false };
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

/** A request, as the connection sees it that it is written to. */
interface Carried {
  readonly reception: Reception;
  socket?: Socket;
  /** What was read last, and the last piece of the body: a view of it. */
  read?: Buffer;
  piece?: Buffer;
}

const surplus: TransportFailure = {
  kind: 'not-http',
  message: 'the server sent more bytes than its response announced',
};

/** Dispatches one request and takes its response in. */
function receive(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  options: ReceptionOptions,
): Promise<Received> {
  let controller: Dispatcher.DispatchController | undefined;
  // After a failure its connection is closed.
  const onEnd: ReceptionOptions['onEnd'] = (failure) => {
    if (failure) controller?.abort(new Error(failure.message));
  };
  const reception = new Reception({ ...options, onEnd });
  const carried: Carried = { reception };
  try {
    dispatcher.dispatch(request, {
      onRequestStart(started) {
        controller = started;
        if (reception.isOpen) starting = carried;
        else controller.abort(new Error('ended before it was sent'));
      },
      onResponseStart({ rawHeaders }, status) {
        const raw = Array.isArray(rawHeaders) ? rawHeaders : [];
        reception.head(status, fieldsOf(raw.map((part) => part.toString('latin1'))));
      },
      onResponseData(_, chunk) {
        carried.piece = chunk;
        reception.data(chunk);
      },
      onResponseEnd() {
        // Bytes after the response are seen in this turn of the event loop.
        setImmediate(() => reception.end(hasSurplus(carried) ? surplus : undefined, false));
      },
      onResponseError(_, error) {
        // A 304 announces the length that a 200 would have (RFC 9110 8.6), and has no body all the same.
        if (error instanceof errors.ResponseContentLengthMismatchError && reception.received.status === 304)
          reception.end();
        else reception.fail(describeFailure(error));
      },
    });
  } catch (error) {
    reception.end(describeFailure(error));
  }
  return reception.ended;
}

/** Whether bytes follow the response: its length was announced too small, or it has no body. */
function hasSurplus({ reception, socket, read, piece }: Carried): boolean {
  if (socket?.errored && describeFailure(socket.errored).kind === 'not-http') return true;
  // undici parses nothing that follows on a connection that it closes.
  const { headers } = reception.received;
  if (!read || !piece || firstValueOf(headers, 'Content-Length') === undefined) return false;
  const isView = piece.buffer === read.buffer;
  const rest = isView ? read.subarray(piece.byteOffset + piece.length - read.byteOffset) : read;
  // Empty lines between messages are allowed (RFC 9112 2.2).
  return /[^\r\n]/.test(rest.toString('latin1'));
}

/**
 * A client reads past interim responses that it did not ask for (RFC 9110 15.2.1). undici ends the connection at a
 * `100 Continue`: it is renamed to 102, which undici reads past.
 */
function readPastContinue(chunk: Buffer): void {
  for (let at = 0; /^HTTP\/1\.\d 1(?!01)\d\d[ \r]/.test(chunk.toString('latin1', at, at + 13));) {
    chunk.write('102', at + 9, 'latin1');
    const end = chunk.indexOf('\r\n\r\n', at);
    if (end < 0) return;
    at = end + 4;
  }
}

/** What each connection carries, or carried last. */
const carriedBy = new WeakMap<Socket, Carried>();
/** undici starts a request and tells on its diagnostics channel which socket it is written to, in one synchronous step. */
let starting: Carried | undefined;

subscribe('undici:client:sendHeaders', (message) => {
  const { socket } = message as { readonly socket: Socket };
  const carried = starting;
  starting = undefined;
  if (!carried) return;
  const isReused = carriedBy.has(socket);
  carriedBy.set(socket, Object.assign(carried, { socket }));
  carried.reception.written(socket);
  // undici reads when it is told that the socket is readable; this listener sees what is read before it is parsed.
  if (!isReused) socket.on('data', (chunk: Buffer) => see(carriedBy.get(socket), chunk));
});

function see(carried: Carried | undefined, chunk: Buffer): void {
  if (!carried?.reception.isOpen) return;
  if (carried.reception.received.status === null) readPastContinue(chunk);
  carried.read = chunk;
}
