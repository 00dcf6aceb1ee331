import { subscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import { firstValueOf, type HeaderList } from '../headers/header-list.js';
import { connectionName } from './connection-name.js';
import { startDeadline } from './deadline.js';
import { describeFailure, wrongLength, type TransportFailure } from './failure.js';

/** How far a response had come when it ended, well or not. The content coding of the body is not undone. */
export interface Reception {
  /** The head of the final response; each byte of a header is a character (latin1). */
  readonly head?: { readonly status: number; readonly headers: HeaderList } | undefined;
  readonly body: Uint8Array;
  readonly bytes: number;
  /** `body` is only the beginning. */
  readonly truncated: boolean;
  readonly failure?: TransportFailure | undefined;
  /** The name of the connection that the request was written to. */
  readonly connection?: string | undefined;
}

export interface ReceiveOptions {
  /** Milliseconds for the request as a whole, waiting for a connection included. */
  readonly deadlineMs: number;
  /** Bytes of body that are kept; a longer one ends the reception. */
  readonly maximumBytes: number;
  readonly signal?: AbortSignal | undefined;
  readonly onHead?: () => void;
}

/** Every exchange is kept to the end of the run, and a short field takes many times its length. */
const maximumHeaderFields = 1_000;

/** Sends one request and takes its response in. Never rejects, and always ends by its deadline. */
export function receive(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  options: ReceiveOptions,
): Promise<Reception> {
  return new Promise((resolve) => {
    const receiver = new Receiver(options, resolve);
    try {
      // undici must never send a request twice of its own accord.
      if (receiver.isOpen) dispatcher.dispatch({ ...request, idempotent: false }, receiver);
    } catch (error) {
      receiver.stop(describeFailure(error));
    }
  });
}

/** Takes one response in and tells once how it ended: by its end, by an error, by the deadline or by `stop`. */
class Receiver implements Dispatcher.DispatchHandler {
  isOpen = true;
  readonly #options: ReceiveOptions;
  readonly #ended: (reception: Reception) => void;
  readonly #endDeadline: () => void;
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;
  #controller: Dispatcher.DispatchController | undefined;
  #head: Reception['head'];
  #isComplete = false;
  #socket: Socket | undefined;
  /** Whether the connection has carried another request before. */
  #isReused = false;
  /** What was read last, and the last piece of the body: a view of it. */
  #lastRead: Buffer | undefined;
  #lastData: Buffer | undefined;

  constructor(options: ReceiveOptions, ended: (reception: Reception) => void) {
    const { deadlineMs, signal } = options;
    this.#options = options;
    this.#ended = ended;
    this.#endDeadline = startDeadline(deadlineMs, () => {
      const what = this.#head ? 'the body of the response was not complete' : 'no response came';
      this.stop({ kind: 'timeout', message: `${what} within ${deadlineMs} ms` });
    });
    signal?.addEventListener('abort', this.#abort);
    if (signal?.aborted) this.#abort();
  }

  readonly #abort = (): void => this.stop({ kind: 'aborted', message: 'the request was aborted' });

  /** Ends the reception here and closes its connection. */
  stop(failure: TransportFailure): void {
    this.#end(failure);
    this.#controller?.abort(new Error(failure.message));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.isOpen) startsNext(this);
    else controller.abort(new Error('ended before it was sent'));
  }

  /** The request is written to a connection. */
  started(socket: Socket, isReused: boolean): void {
    this.#socket = socket;
    this.#isReused = isReused;
  }

  /** These bytes were read, and are going to be parsed. */
  read(chunk: Buffer): void {
    if (!this.#head) readPastContinue(chunk);
    this.#lastRead = chunk;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    // 1xx responses are interim: the final one follows (RFC 9110 15.2).
    if (!this.isOpen || status < 200) return;
    const headers = headerFields(controller.rawHeaders);
    if (headers.length > maximumHeaderFields) {
      const message = `the response has more than ${maximumHeaderFields} header fields`;
      this.stop({ kind: 'too-large', message });
      return;
    }
    this.#head = { status, headers };
    this.#options.onHead?.();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.isOpen) return;
    const { maximumBytes } = this.#options;
    const room = Math.max(0, maximumBytes - this.#bytes);
    this.#lastData = chunk;
    this.#keep(chunk, room);
    if (chunk.length <= room) return;
    const message = `the body is longer than ${maximumBytes} bytes; the rest was not read`;
    this.stop({ kind: 'too-large', message });
  }

  onResponseEnd(): void {
    this.#isComplete = true;
    // Bytes after the response are seen in this turn of the event loop.
    setImmediate(() => this.#end(this.#surplus()));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if ('code' in error && error.code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
      this.#end(wrongLength(this.#head?.status, this.#bytes));
      return;
    }
    const { kind, message } = describeFailure(error);
    const isKept = this.#isReused && (kind === 'reset' || kind === 'closed');
    const when = isKept ? '; it had been kept open after an earlier request' : '';
    this.#end({ kind, message: message + (this.#head ? `, after ${this.#bytes} bytes of the body` : when) });
  }

  /** What is wrong if bytes follow the response: its length was announced too small, or it has no body. */
  #surplus(): TransportFailure | undefined {
    const { headers = [] } = this.#head ?? {};
    const hasLength = firstValueOf(headers, 'Content-Length') !== undefined;
    const rest = hasLength && this.#lastData && this.#lastRead && behind(this.#lastData, this.#lastRead);
    const text = rest ? rest.toString('latin1') : '';
    const error = this.#socket?.errored;
    const isUnparsed = error && describeFailure(error).kind === 'not-http';
    // Empty lines between messages are allowed (RFC 9112 2.2).
    if (!/[^\r\n]/.test(text) && !isUnparsed) return undefined;
    const isBody = rest && rest.length > 0 && !text.startsWith('HTTP/');
    // Kept with the body, what its length should have been can be told.
    if (isBody && firstValueOf(headers, 'Content-Encoding') === undefined) this.#keep(rest);
    const announced = isBody ? 'Content-Length' : 'the response';
    return { kind: 'not-http', message: `the server sent more bytes than ${announced} announced` };
  }

  /** A copy: the chunk is a view of a larger buffer that would be kept with it. */
  #keep(chunk: Buffer, room?: number): void {
    this.#bytes += chunk.length;
    this.#chunks.push(Uint8Array.prototype.slice.call(chunk, 0, room));
  }

  #end(failure: TransportFailure | undefined): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.#endDeadline();
    this.#options.signal?.removeEventListener('abort', this.#abort);
    this.#ended({
      head: this.#head,
      body: Buffer.concat(this.#chunks),
      bytes: this.#bytes,
      truncated: failure !== undefined && !this.#isComplete,
      failure,
      connection: this.#socket && connectionName(this.#socket),
    });
    this.#chunks.length = 0;
    this.#lastRead = undefined;
    this.#lastData = undefined;
  }
}

/** What of a chunk follows the last piece of a body, which may be a view of the same memory. */
function behind(piece: Buffer, chunk: Buffer): Buffer {
  if (piece.buffer !== chunk.buffer) return chunk;
  return chunk.subarray(Math.max(0, piece.byteOffset + piece.length - chunk.byteOffset));
}

function headerFields(raw: Dispatcher.DispatchController['rawHeaders']): Array<[string, string]> {
  if (!Array.isArray(raw)) return [];
  const text = raw.map((part) => (typeof part === 'string' ? part : part.toString('latin1')));
  const fields: Array<[string, string]> = [];
  for (let index = 0; index + 1 < text.length; index += 2)
    // White space around a value is not part of it (RFC 9110 5.5); the parser removes only what precedes it.
    fields.push([text[index] ?? '', (text[index + 1] ?? '').replace(/(?<![ \t])[ \t]+$/, '')]);
  return fields;
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
let starting: Receiver | undefined;

function startsNext(receiver: Receiver): void {
  starting = receiver;
}

subscribe('undici:client:sendHeaders', (message) => {
  const receiver = starting;
  starting = undefined;
  if (!receiver || typeof message !== 'object' || message === null || !('socket' in message)) return;
  const { socket } = message;
  if (!(socket instanceof Socket)) return;
  const isReused = receivers.has(socket);
  receivers.set(socket, receiver);
  receiver.started(socket, isReused);
  // undici reads when it is told that the socket is readable; this listener only sees what it reads.
  if (!isReused) socket.on('data', (chunk: Buffer) => receivers.get(socket)?.read(chunk));
});
