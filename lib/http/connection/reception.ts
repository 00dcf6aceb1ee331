import type { Socket } from 'node:net';
import { decoded } from '../body/decoded-body.js';
import type { Clock } from '../clock/clock.js';
import type { HeaderList } from '../headers/header-list.js';
import { startDeadline } from './deadline.js';
import type { TransportFailure } from './failure.js';

/**
 * What came of a request. With a status and a failure both, the head came; the body did not, or not correctly. Times are
 * milliseconds since the Unix epoch.
 */
export interface Received {
  readonly sentAt: number;
  /** When the head of the response had come, or the failure was seen. */
  readonly at: number;
  /** When the response was complete, or the failure was seen. */
  readonly endedAt: number;
  /** `null` if there was no response. */
  readonly status: number | null;
  /** As the server spelt them, in order, repeated fields apart; each byte is a character (latin1). */
  readonly headers: HeaderList;
  /** Decompressed if Content-Encoding says so. */
  readonly body: Uint8Array;
  /** Bytes of body received, before decompression. */
  readonly bytes: number;
  /** `body` is only the beginning. */
  readonly truncated: boolean;
  readonly failure?: TransportFailure | undefined;
  /** The name of the connection that the request was written to; absent if there was none. */
  readonly connection?: string | undefined;
}

export interface ReceptionOptions {
  readonly clock: Clock;
  /** Milliseconds for the request as a whole, waiting for a connection included. */
  readonly deadlineMs: number;
  /** Bytes of body that are kept, before and after decompression; a longer one ends the reception. */
  readonly maximumBytes: number;
  readonly onHead?: () => void;
  /** Called once, when nothing more is taken in. */
  readonly onEnd?: (failure: TransportFailure | undefined) => void;
}

/** Every exchange is kept to the end of the run, and a short field takes many times its length. */
const maximumHeaderFields = 1_000;

/** The names of connections: `c1`, `c2`, … in the order of their first requests. */
const names = new WeakMap<Socket, string>();
let named = 0;

/** Takes one response in, whoever parses it, and tells once how it ended: well, by an error, or by the deadline. */
export class Reception {
  /** As far as it has come: it is filled in here until the end. */
  readonly received: { -readonly [Field in keyof Received]: Received[Field] };
  isOpen = true;
  /** Resolves when it has ended and its content codings are undone (RFC 9110 8.4). */
  readonly ended: Promise<Received>;
  readonly #options: ReceptionOptions;
  readonly #endDeadline: () => void;
  readonly #chunks: Uint8Array[] = [];
  #isReused = false;
  #resolve: (received: Promise<Received>) => void = () => undefined;

  constructor(options: ReceptionOptions) {
    const { clock, deadlineMs } = options;
    const now = clock.now();
    const nothing = { status: null, headers: [], body: new Uint8Array(), bytes: 0, truncated: false };
    this.received = { sentAt: now, at: now, endedAt: now, ...nothing };
    this.#options = options;
    this.ended = new Promise((resolve) => (this.#resolve = resolve));
    this.#endDeadline = startDeadline(deadlineMs, () => {
      const isCut = this.received.status !== null;
      const what = isCut ? 'the body of the response was not complete' : 'no response came';
      this.end({ kind: 'timeout', message: `${what} within ${deadlineMs} ms` });
    });
  }

  /** The request is written to a connection, which may have carried others before. */
  written(socket: Socket): void {
    this.#isReused = names.has(socket);
    const name = names.get(socket) ?? `c${(named += 1)}`;
    names.set(socket, name);
    this.received.connection = name;
  }

  /** The head of a response has come; an interim one is passed over (RFC 9110 15.2). */
  head(status: number, headers: HeaderList): void {
    if (!this.isOpen || status < 200) return;
    if (headers.length > maximumHeaderFields)
      return this.end({
        kind: 'too-large',
        message: `the response has more than ${maximumHeaderFields} header fields`,
      });
    Object.assign(this.received, { status, headers, at: this.#options.clock.now() });
    this.#options.onHead?.();
  }

  data(chunk: Buffer): void {
    if (!this.isOpen) return;
    const { maximumBytes } = this.#options;
    const room = Math.max(0, maximumBytes - this.received.bytes);
    this.received.bytes += chunk.length;
    // A copy: the chunk is a view of a larger buffer that would be kept with it.
    this.#chunks.push(Uint8Array.prototype.slice.call(chunk, 0, room));
    const message = `the body is longer than ${maximumBytes} bytes; the rest was not read`;
    if (chunk.length > room) this.end({ kind: 'too-large', message });
  }

  /** Ends it by what went wrong on its connection, and says how far the response had come. */
  fail({ kind, message }: TransportFailure): void {
    const { status, bytes } = this.received;
    const isKept = this.#isReused && (kind === 'reset' || kind === 'closed');
    const when = isKept ? '; it had been kept open after an earlier request' : '';
    this.end({ kind, message: message + (status === null ? when : `, after ${bytes} bytes of the body`) });
  }

  /** @param truncated whether only a part of the body has come */
  end(failure?: TransportFailure, truncated = failure !== undefined): void {
    if (!this.isOpen) return;
    const { clock, onEnd, maximumBytes } = this.#options;
    const { received } = this;
    this.isOpen = false;
    this.#endDeadline();
    received.endedAt = clock.now();
    if (received.status === null) received.at = received.endedAt;
    Object.assign(received, { failure, truncated, body: Buffer.concat(this.#chunks.splice(0)) });
    onEnd?.(failure);
    this.#resolve(decoded(received, maximumBytes));
  }
}
