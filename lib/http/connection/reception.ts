import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { Clock } from '../clock/clock.js';
import { valuesOf, type HeaderList } from '../headers/header-list.js';
import type { TransportFailure } from './failure.js';

/**
 * What came of a request. With a status and a failure both, the head came; the body did not, or not correctly. Times are
 * milliseconds since the Unix epoch: of the head, and of the whole response, or of the failure.
 */
export interface Received {
  readonly sentAt: number;
  readonly at: number;
  readonly endedAt: number;
  /** `null` if there was no response. */
  readonly status: number | null;
  /** Each byte is a character (latin1). */
  readonly headers: HeaderList;
  /** Decompressed if Content-Encoding says so; only the beginning if it is truncated. */
  readonly body: Uint8Array;
  /** Bytes of body received, before decompression. */
  readonly bytes: number;
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
  readonly onEnd?: (failure: TransportFailure | undefined) => void;
}

/** Every exchange is kept to the end of the run, and a short field takes many times its length. */
const maximumHeaderFields = 1_000;

/** The names of connections: `c1`, `c2`, … in the order of their first requests. */
const names = new WeakMap<Socket, string>();
let named = 0;

/** Takes one response in, whoever parses it, and tells once how it ended: well, by an error, or by the deadline. */
export class Reception {
  /** It is filled in here until the end. */
  readonly received: { -readonly [Field in keyof Received]: Received[Field] };
  isOpen = true;
  /** Resolves when it has ended and its content codings are undone (RFC 9110 8.4). */
  readonly ended: Promise<Received>;
  readonly #endDeadline: () => void;
  readonly #chunks: Uint8Array[] = [];
  #isReused = false;
  #resolve: (received: Promise<Received>) => void = () => undefined;

  constructor(private readonly options: ReceptionOptions) {
    const { clock, deadlineMs } = options;
    const now = clock.now();
    const nothing = { status: null, headers: [], body: new Uint8Array(), bytes: 0, truncated: false };
    this.received = { sentAt: now, at: now, endedAt: now, ...nothing };
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
    this.received.connection = names.get(socket) ?? `c${(named += 1)}`;
    names.set(socket, this.received.connection);
  }

  /** The head of a response has come; an interim one is passed over (RFC 9110 15.2). */
  head(status: number, headers: HeaderList): void {
    if (!this.isOpen || status < 200) return;
    const message = `the response has more than ${maximumHeaderFields} header fields`;
    if (headers.length > maximumHeaderFields) return this.end({ kind: 'too-large', message });
    Object.assign(this.received, { status, headers, at: this.options.clock.now() });
    this.options.onHead?.();
  }

  data(chunk: Buffer): void {
    if (!this.isOpen) return;
    const { maximumBytes } = this.options;
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
    const { clock, onEnd, maximumBytes } = this.options;
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

/** Milliseconds by which a timer may be late that tells nothing of the machine. */
const punctualMs = 10;

/**
 * Calls back after so many milliseconds. If this process stood still until then, so does what it has received: it gets as
 * long again as it stood still, since what came meanwhile tells of the target, and the delay of the machine.
 * @returns ends the wait
 */
export function startDeadline(milliseconds: number, passed: () => void): () => void {
  const due = performance.now() + milliseconds;
  let timer = setTimeout(() => {
    const lateMs = performance.now() - due;
    if (lateMs < punctualMs) passed();
    else timer = setTimeout(passed, Math.min(lateMs, milliseconds));
  }, milliseconds);
  return () => clearTimeout(timer);
}

/** Bytes that are decompressed at a time. Each portion waits for its turn in the event loop. */
const chunkSize = 256 * 1024;

const decoders = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

/**
 * Undoes the coding of a body that came whole (RFC 9110 8.4), up to so many bytes. One that can't be undone stays as it
 * came, and is a failure.
 */
export async function decoded<Response extends Pick<Received, 'headers' | 'body' | 'truncated' | 'failure'>>(
  response: Response,
  maxOutputLength: number,
): Promise<Response> {
  const { headers, body, truncated } = response;
  const coding = valuesOf(headers, 'Content-Encoding').join(', ').trim().toLowerCase();
  if (coding === '' || coding === 'identity' || body.length === 0 || truncated) return response;
  const decode = decoders.get(coding);
  let failure: TransportFailure;
  try {
    if (decode) return Object.assign(response, { body: await decode(body, { chunkSize, maxOutputLength }) });
    const message = 'Content-Encoding names a coding other than gzip, deflate and br';
    failure = { kind: 'not-http', message };
  } catch (error) {
    failure =
      error instanceof RangeError
        ? { kind: 'too-large', message: `the decompressed body is longer than ${maxOutputLength} bytes` }
        : { kind: 'not-http', message: `the body is not what its Content-Encoding (${coding}) says` };
  }
  const isCut = failure.kind === 'too-large';
  return Object.assign(response, { truncated: isCut, failure: response.failure ?? failure });
}
