import type { Dispatcher } from 'undici';
import { onConnection } from './connection-name.js';
import { describeFailure, type TransportFailure } from './failure.js';

/** What of a response had come when it ended, well or not. The body is as received, its content coding not undone. */
export interface Reception {
  head?: { status: number; headers: [string, string][]; firstByteAt: number };
  body: Uint8Array;
  bytes: number;
  truncated: boolean;
  failure?: TransportFailure;
  /** The connection that the request was written to. */
  connection?: string;
}

/** Every exchange is kept to the end of the run, and a short field takes many times its length. */
const mostHeaderFields = 1_000;

/**
 * Takes one response in, up to `maximumBytes` of body, and tells once how it ended: by its end, by an error, or by
 * `stop`, which also gives up a request that is still waiting for its connection.
 */
export class Receiver implements Dispatcher.DispatchHandler {
  readonly #maximumBytes: number;
  readonly #ended: (reception: Reception) => void;
  readonly #started: (receiver: Receiver) => void;
  readonly #chunks: Uint8Array[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #head: Reception['head'];
  #bytes = 0;
  #open = true;
  #complete = false;
  #reused = false;
  #connection: string | undefined;
  #surplus: TransportFailure | undefined;

  constructor(
    maximumBytes: number,
    started: (receiver: Receiver) => void,
    ended: (reception: Reception) => void,
  ) {
    this.#maximumBytes = maximumBytes;
    this.#started = started;
    this.#ended = ended;
  }

  /** Whether the final response's headers have come. */
  get answered(): boolean {
    return this.#head !== undefined;
  }

  /** Bytes of the body that have come. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Ends the reception here and closes its connection. */
  stop(failure: TransportFailure): void {
    this.#end(failure);
    this.#controller?.abort(new Error(failure.message));
  }

  /** The request is being written; `reused` if the connection has carried another request before. */
  connected(reused: boolean): void {
    this.#reused = reused;
  }

  /** The connection broke over bytes that follow the response: its length was announced too small, or has no body. */
  bytesBehindEnd(): void {
    if (!this.#complete) return;
    this.#surplus = { kind: 'not-http', message: 'more bytes came than the response was announced to have' };
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#open) {
      onConnection((connection) => {
        this.#connection = connection;
      });
      this.#started(this);
    } else controller.abort(new Error('given up before it was sent'));
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    // 1xx responses are interim: the final one follows (RFC 9110 15.2).
    if (!this.#open || status < 200) return;
    const headers = rawHeaders(controller.rawHeaders);
    if (headers.length > mostHeaderFields) {
      const message = `the response has more than ${mostHeaderFields} header fields`;
      this.stop({ kind: 'too-large', message });
      return;
    }
    this.#head = { status, headers, firstByteAt: performance.now() };
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#open) return;
    const room = this.#maximumBytes - this.#bytes;
    this.#bytes += chunk.length;
    // A copy: the chunk is a view of a larger buffer that would be kept with it.
    this.#chunks.push(Uint8Array.prototype.slice.call(chunk, 0, Math.max(room, 0)));
    if (chunk.length <= room) return;
    const message = `the body is longer than ${this.#maximumBytes} bytes; the rest was not read`;
    this.stop({ kind: 'too-large', message });
  }

  onResponseEnd(): void {
    this.#complete = true;
    // Bytes that came behind the response are looked at in this turn of the loop.
    setImmediate(() => this.#end(this.#surplus));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end(this.#explain(error));
  }

  #explain(error: Error): TransportFailure | undefined {
    const mismatch = 'code' in error && error.code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';
    if (this.#head && mismatch) {
      const { status } = this.#head;
      // A 304 tells the length that a 200 would have (RFC 9110 8.6) and has no body all the same.
      if (status === 304 && this.#bytes === 0) return undefined;
      if (status === 204 || status === 304) {
        return {
          kind: 'not-http',
          message: `a ${status} has no body, and this one announces one by Content-Length`,
        };
      }
      return {
        kind: 'closed',
        message: `the body ended after ${this.#bytes} bytes, before its Content-Length`,
      };
    }
    if (mismatch) {
      return {
        kind: 'not-http',
        message: 'the response has more than one Content-Length, or one that is no number',
      };
    }
    const failure = describeFailure(error);
    if (!this.#head) {
      const lost = this.#reused && (failure.kind === 'reset' || failure.kind === 'closed');
      return lost
        ? { ...failure, message: `${failure.message}, one kept open after an earlier request` }
        : failure;
    }
    return { kind: failure.kind, message: `${failure.message}, after ${this.#bytes} bytes of the body` };
  }

  #end(failure: TransportFailure | undefined): void {
    if (!this.#open) return;
    this.#open = false;
    const kept = Buffer.concat(this.#chunks);
    this.#chunks.length = 0;
    this.#ended({
      ...(this.#head ? { head: this.#head } : {}),
      body: kept,
      bytes: this.#bytes,
      truncated: failure !== undefined && !this.#complete,
      ...(failure ? { failure } : {}),
      ...(this.#connection === undefined ? {} : { connection: this.#connection }),
    });
  }
}

/** Header fields are bytes; latin1 keeps each as one character, so that nothing is lost or made up. */
function rawHeaders(raw: Dispatcher.DispatchController['rawHeaders']): [string, string][] {
  if (!Array.isArray(raw)) return [];
  const text = raw.map((part) => (typeof part === 'string' ? part : part.toString('latin1')));
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < text.length; index += 2)
    pairs.push([text[index] ?? '', withoutPadding(text[index + 1] ?? '')]);
  return pairs;
}

/** White space around a value is none of it (RFC 9110 5.5); the parser takes away only that before it. */
function withoutPadding(value: string): string {
  let end = value.length;
  while (value[end - 1] === ' ' || value[end - 1] === '\t') end -= 1;
  return value.slice(0, end);
}
