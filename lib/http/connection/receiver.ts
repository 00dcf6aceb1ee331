import { subscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { errors, type Dispatcher } from 'undici';
import { fieldsOf, firstValueOf } from '../headers/header-list.js';
import { describeFailure, type TransportFailure } from './failure.js';
import { Reception, type Received, type ReceptionOptions } from './reception.js';

/** What a connection carries. */
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

/** Sends one request over undici and takes its response in. Never rejects, and always ends by its deadline. */
export function receive(
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
  const handler: Dispatcher.DispatchHandler = {
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
  };
  try {
    // undici must never send a request twice of its own accord.
    if (reception.isOpen) dispatcher.dispatch({ ...request, idempotent: false }, handler);
  } catch (error) {
    reception.end(describeFailure(error));
  }
  return reception.ended;
}

/** Whether bytes follow the response: its length was announced too small, or it has no body. */
function hasSurplus({ reception, socket, read, piece }: Carried): boolean {
  const error = socket?.errored;
  if (error && describeFailure(error).kind === 'not-http') return true;
  // undici parses nothing that follows on a connection that it closes.
  const { headers } = reception.received;
  if (!read || !piece || firstValueOf(headers, 'Content-Length') === undefined) return false;
  const isView = piece.buffer === read.buffer;
  const rest = isView ? read.subarray(piece.byteOffset + piece.length - read.byteOffset) : read;
  // Empty lines between messages are allowed (RFC 9112 2.2).
  return /[^\r\n]/.test(rest.toString('latin1'));
}

const interimLine = /^HTTP\/1\.\d 1(?!01)\d\d[ \r]/;

/**
 * A client reads past interim responses that it did not ask for (RFC 9110 15.2.1). undici ends the connection at a
 * `100 Continue`: it is renamed to 102, which undici reads past.
 */
function readPastContinue(chunk: Buffer): void {
  for (let at = 0; interimLine.test(chunk.toString('latin1', at, at + 13));) {
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
  const socket: unknown = Reflect.get(Object(message), 'socket');
  const carried = starting;
  starting = undefined;
  if (!carried || !(socket instanceof Socket)) return;
  const isReused = carriedBy.has(socket);
  carriedBy.set(socket, Object.assign(carried, { socket }));
  carried.reception.written(socket);
  // undici reads when it is told that the socket is readable; this listener only sees what it reads.
  if (!isReused) socket.on('data', (chunk: Buffer) => see(carriedBy.get(socket), chunk));
});

/** These bytes were read, and are going to be parsed. */
function see(carried: Carried | undefined, chunk: Buffer): void {
  if (!carried?.reception.isOpen) return;
  if (carried.reception.received.status === null) readPastContinue(chunk);
  carried.read = chunk;
}
