import { firstValueOf } from '../headers/header-list.js';
import { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import { connectionName } from './connection-name.js';
import { startDeadline } from './deadline.js';
import { describeFailure, type TransportFailure } from './failure.js';
import { subscribe } from 'node:diagnostics_channel';

/** The head of a final response. */
export interface ResponseHead {
  readonly status: number;
  /** Names as the server spelt them, in order, repeated fields apart; each byte a character (latin1). */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
}

/** How far a response had come when it ended, well or not. The content coding of the body is not undone. */
export interface Reception {
  readonly head?: ResponseHead | undefined;
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
  /** Called when the request is written to a connection. */
  readonly onStart?: (receiver: Receiver) => void;
  readonly onHead?: (head: ResponseHead) => void;
  /** Called when the response is complete, before its connection is used again. */
  readonly onComplete?: (receiver: Receiver) => void;
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
    // undici must never send a request twice of its own accord.
    if (receiver.open)
      receiver.attempt(() => dispatcher.dispatch({ ...request, idempotent: false }, receiver));
  });
}

/** Takes one response in and tells once how it ended: by its end, by an error, by the deadline or by `stop`. */
export class Receiver implements Dispatcher.DispatchHandler {
  /** The connection that the request was written to. */
  socket: Socket | undefined;
  /** Whether the connection has carried another request before. */
  reused = false;
  open = true;
  /** Bytes of the body that have come. */
  bytes = 0;
  readonly #options: ReceiveOptions;
  readonly #ended: (reception: Reception) => void;
  readonly #endDeadline: () => void;
  readonly #chunks: Uint8Array[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #head: ResponseHead | undefined;
  #complete = false;
  #connection: string | undefined;
  #surplus: TransportFailure | undefined;
  /** The last piece of the body: a view of what was read. */
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

  /** Runs what may throw instead of reporting an error. */
  attempt(dispatch: () => unknown): void {
    try {
      dispatch();
    } catch (error) {
      this.#end(describeFailure(error));
    }
  }

  /** Ends the reception here and closes its connection. */
  stop(failure: TransportFailure): void {
    this.#end(failure);
    this.#controller?.abort(new Error(failure.message));
  }

  /**
   * The connection broke over bytes that follow the response: its length was announced too small, or it has no body.
   * @param read what was read last, these bytes included
   */
  bytesAfterEnd(read: Buffer | undefined): void {
    if (!this.#complete) return;
    const surplus = read && behind(this.#lastData, read);
    const isOfBody =
      surplus !== undefined &&
      surplus.length > 0 &&
      this.#hasHeader('content-length') &&
      !this.#hasHeader('content-encoding') &&
      !surplus.toString('latin1').startsWith('HTTP/');
    // Kept with the body, what its length should have been can be told.
    if (isOfBody) {
      this.#chunks.push(Uint8Array.prototype.slice.call(surplus));
      this.bytes += surplus.length;
    }
    const announced = isOfBody ? 'Content-Length' : 'the response';
    this.#surplus = { kind: 'not-http', message: `the server sent more bytes than ${announced} announced` };
  }

  #hasHeader(wanted: string): boolean {
    return firstValueOf(this.#head?.headers ?? [], wanted) !== undefined;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (!this.open) {
      controller.abort(new Error('ended before it was sent'));
      return;
    }
    onConnection(({ name, socket }) => {
      this.#connection = name;
      this.socket = socket;
      this.#options.onStart?.(this);
    });
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    // 1xx responses are interim: the final one follows (RFC 9110 15.2).
    if (!this.open || status < 200) return;
    const headers = headerFields(controller.rawHeaders);
    if (headers.length > maximumHeaderFields) {
      const message = `the response has more than ${maximumHeaderFields} header fields`;
      this.stop({ kind: 'too-large', message });
      return;
    }
    this.#head = { status, headers };
    this.#options.onHead?.(this.#head);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.open) return;
    const { maximumBytes } = this.#options;
    const room = Math.max(0, maximumBytes - this.bytes);
    this.bytes += chunk.length;
    this.#lastData = chunk;
    // A copy: the chunk is a view of a larger buffer that would be kept with it.
    this.#chunks.push(Uint8Array.prototype.slice.call(chunk, 0, room));
    if (chunk.length <= room) return;
    const message = `the body is longer than ${maximumBytes} bytes; the rest was not read`;
    this.stop({ kind: 'too-large', message });
  }

  onResponseEnd(): void {
    this.#complete = true;
    // Bytes after the response are seen in this turn of the event loop.
    setImmediate(() => this.#end(this.#surplus));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end(this.#explain(error));
  }

  #explain(error: Error): TransportFailure | undefined {
    if ('code' in error && error.code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
      return wrongLength(this.#head?.status, this.bytes);
    const { kind, message } = describeFailure(error);
    if (this.#head) return { kind, message: `${message}, after ${this.bytes} bytes of the body` };
    const kept = this.reused && (kind === 'reset' || kind === 'closed');
    return { kind, message: kept ? `${message}; it had been kept open after an earlier request` : message };
  }

  #end(failure: TransportFailure | undefined): void {
    if (!this.open) return;
    this.open = false;
    this.#endDeadline();
    this.#options.signal?.removeEventListener('abort', this.#abort);
    if (!failure) this.#options.onComplete?.(this);
    this.#ended({
      head: this.#head,
      body: Buffer.concat(this.#chunks),
      bytes: this.bytes,
      truncated: failure !== undefined && !this.#complete,
      failure,
      connection: this.#connection,
    });
    this.#chunks.length = 0;
    this.#lastData = undefined;
  }
}

/** What of a chunk follows the last piece of a body, which may be a view of the same memory. */
function behind(piece: Buffer | undefined, chunk: Buffer): Buffer {
  if (piece?.buffer !== chunk.buffer) return chunk;
  return chunk.subarray(Math.max(0, piece.byteOffset + piece.length - chunk.byteOffset));
}

/** What is wrong if the body has not the length that Content-Length announces. */
export function wrongLength(status: number | undefined, bytes: number): TransportFailure | undefined {
  // A 304 announces the length that a 200 would have (RFC 9110 8.6), and has no body all the same.
  if (status === 304 && bytes === 0) return undefined;
  if (status === undefined) {
    return {
      kind: 'not-http',
      message: 'the response has more than one Content-Length, or one that is not a number',
    };
  }
  if (status === 204 || status === 304)
    return { kind: 'not-http', message: `the ${status} response announces a body, which it must not have` };
  return { kind: 'closed', message: `the body ended after ${bytes} bytes, before its Content-Length` };
}

/** Header fields are bytes: latin1 keeps each as one character, so nothing is lost. */
function headerFields(raw: Dispatcher.DispatchController['rawHeaders']): Array<[string, string]> {
  if (!Array.isArray(raw)) return [];
  const text = raw.map((part) => (typeof part === 'string' ? part : part.toString('latin1')));
  const fields: Array<[string, string]> = [];
  for (let index = 0; index + 1 < text.length; index += 2)
    // White space around a value is not part of it (RFC 9110 5.5); the parser removes only what precedes it.
    fields.push([text[index] ?? '', (text[index + 1] ?? '').replace(trailingSpace, '')]);
  return fields;
}

const trailingSpace = /(?<![ \t])[ \t]+$/;

/** What a request is written to. */
interface Connection {
  /** `c1`, `c2`, … */
  readonly name: string;
  readonly socket: Socket;
}

type Listener = (connection: Connection) => void;

let starting: Listener | undefined;

/**
 * Tells the connection that a request goes over. Call it from `onRequestStart`: undici then writes the request to its
 * socket in the same synchronous step, and says so on its diagnostics channel.
 */
function onConnection(listener: Listener): void {
  starting = listener;
}

subscribe('undici:client:sendHeaders', (message) => {
  const listener = starting;
  starting = undefined;
  if (!listener || typeof message !== 'object' || message === null || !('socket' in message)) return;
  const { socket } = message;
  if (socket instanceof Socket) listener({ name: connectionName(socket), socket });
});
