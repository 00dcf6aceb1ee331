import { subscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import { fieldsOf, firstValueOf } from '../headers/header-list.js';
import { describeFailure, wrongLength, type TransportFailure } from './failure.js';
import { Reception, type Received, type ReceptionOptions } from './reception.js';

/** Sends one request over undici and takes its response in. Never rejects, and always ends by its deadline. */
export function receive(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  options: ReceptionOptions,
): Promise<Received> {
  const receiver = new Receiver(options);
  try {
    // undici must never send a request twice of its own accord.
    if (receiver.isOpen) dispatcher.dispatch({ ...request, idempotent: false }, receiver);
  } catch (error) {
    receiver.end(describeFailure(error));
  }
  return receiver.ended;
}

class Receiver extends Reception implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | undefined;
  private socket: Socket | undefined;
  /** What was read last, and the last piece of the body: a view of it. */
  private lastRead: Buffer | undefined;
  private lastData: Buffer | undefined;

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.isOpen) starting.receiver = this;
    else controller.abort(new Error('ended before it was sent'));
  }

  override written(socket: Socket): void {
    this.socket = socket;
    super.written(socket);
  }

  /** These bytes were read, and are going to be parsed. */
  read(chunk: Buffer): void {
    if (!this.isOpen) return;
    if (this.received.status === null) readPastContinue(chunk);
    this.lastRead = chunk;
  }

  onResponseStart({ rawHeaders = [] }: Dispatcher.DispatchController, status: number): void {
    const raw = Array.isArray(rawHeaders) ? rawHeaders : [];
    this.head(status, fieldsOf(raw.map((part) => part.toString('latin1'))));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.lastData = chunk;
    this.data(chunk);
  }

  onResponseEnd(): void {
    this.isComplete = true;
    // Bytes after the response are seen in this turn of the event loop.
    setImmediate(() => this.end(this.#surplus()));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const { status, bytes } = this.received;
    if ('code' in error && error.code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
      this.end(wrongLength(status, bytes));
    else this.fail(describeFailure(error));
  }

  override end(failure?: TransportFailure): void {
    if (!this.isOpen) return;
    super.end(failure);
    // After a failure its connection is closed.
    if (failure && !this.isComplete) this.controller?.abort(new Error(failure.message));
    this.lastRead = undefined;
    this.lastData = undefined;
  }

  /** What is wrong if bytes follow the response: its length was announced too small, or it has no body. */
  #surplus(): TransportFailure | undefined {
    const { headers } = this.received;
    const hasLength = firstValueOf(headers, 'Content-Length') !== undefined;
    const rest = hasLength && this.lastData && this.lastRead && behind(this.lastData, this.lastRead);
    const text = rest ? rest.toString('latin1') : '';
    const error = this.socket?.errored;
    const isUnparsed = error && describeFailure(error).kind === 'not-http';
    // Empty lines between messages are allowed (RFC 9112 2.2).
    if (!/[^\r\n]/.test(text) && !isUnparsed) return undefined;
    const isBody = rest && rest.length > 0 && !text.startsWith('HTTP/');
    // Kept with the body, what its length should have been can be told.
    if (isBody && firstValueOf(headers, 'Content-Encoding') === undefined) this.data(rest);
    const announced = isBody ? 'Content-Length' : 'the response';
    return { kind: 'not-http', message: `the server sent more bytes than ${announced} announced` };
  }
}

/** What of a chunk follows the last piece of a body, which may be a view of the same memory. */
function behind(piece: Buffer, chunk: Buffer): Buffer {
  if (piece.buffer !== chunk.buffer) return chunk;
  return chunk.subarray(Math.max(0, piece.byteOffset + piece.length - chunk.byteOffset));
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

/** The receiver of each connection's response, or of its last one. */
const receivers = new WeakMap<Socket, Receiver>();
/** undici starts a request and tells on its diagnostics channel which socket it is written to, in one synchronous step. */
const starting: { receiver?: Receiver | undefined } = {};

subscribe('undici:client:sendHeaders', (message) => {
  const socket: unknown = Reflect.get(Object(message), 'socket');
  const { receiver } = starting;
  starting.receiver = undefined;
  if (!receiver || !(socket instanceof Socket)) return;
  const isReused = receivers.has(socket);
  receivers.set(socket, receiver);
  receiver.written(socket);
  // undici reads when it is told that the socket is readable; this listener only sees what it reads.
  if (!isReused) socket.on('data', (chunk: Buffer) => receivers.get(socket)?.read(chunk));
});
