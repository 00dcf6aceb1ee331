import type { Socket } from 'node:net';
import type { Connector } from './connector.js';
import { describeFailure, type TransportFailure } from './failure.js';
import type { Receiver } from './receiver.js';
import { type Line, Turns } from './turns.js';

/** Bytes of headers, those of interim responses included, and of what comes before the body is read. */
const mostBesideBody = 1024 * 1024;
/** Bytes on the wire for a byte of body, at most: in chunks of one byte there are six. */
const mostFraming = 8;
const flood: TransportFailure = {
  kind: 'too-large',
  message: `more than ${mostBesideBody} bytes came that are no body; the rest was not read`,
};

/**
 * Knows which connection carries which request. undici does not tell, and three things can be judged only there: bytes
 * behind a complete response, which undici takes for a broken idle connection; `100 Continue` that was not asked for,
 * which a client has to read past (RFC 9110 15.2.1) and at which undici gives up; and how much came that is no body.
 */
export class Connections {
  readonly #turns: Turns;
  readonly #lines = new WeakMap<Receiver, Line>();
  #starting: Receiver | undefined;

  /** @param crowdedMs see {@link Turns} */
  constructor(crowdedMs?: number) {
    this.#turns = new Turns(crowdedMs);
  }

  /** To be called when undici hands a request over; it writes it to its socket in the same breath. */
  starting(receiver: Receiver): void {
    this.#starting = receiver;
  }

  /** To be called when a response is complete, before its connection is used again. */
  answered(receiver: Receiver): void {
    const line = this.#lines.get(receiver);
    if (line) this.#turns.answered(line);
  }

  /** The same connector, its connections watched. */
  watch(connect: Connector): Connector {
    return (options, callback) =>
      connect(options, (...result) => {
        if (result[1]) this.#follow(result[1]);
        callback(...result);
      });
  }

  #follow(socket: Socket): void {
    const line = this.#turns.opened(socket);
    let current: Receiver | undefined;
    let requests = 0;
    let answerBegun = true;
    let received = 0;
    const read = socket.read.bind(socket);
    const write = socket.write.bind(socket);
    const destroy = socket.destroy.bind(socket);

    Object.assign(socket, {
      write: (...written: Parameters<typeof write>): boolean => {
        if (this.#starting) {
          current = this.#starting;
          this.#starting = undefined;
          current.connected(requests > 0);
          this.#lines.set(current, line);
          this.#turns.began(line);
          requests += 1;
          answerBegun = false;
          received = 0;
        }
        return write(...written);
      },
      read: (size?: number): unknown => {
        const chunk: unknown = read(size);
        if (!Buffer.isBuffer(chunk)) return chunk;
        received += chunk.length;
        if (current && received > mostBesideBody + mostFraming * current.bytes) {
          current.stop(flood);
          return null;
        }
        if (!answerBegun) answerBegun = !endsWithContinue(chunk);
        return chunk;
      },
      destroy: (error?: Error): Socket => {
        if (error && describeFailure(error).kind === 'not-http') current?.bytesBehindEnd();
        return destroy(error);
      },
    });
  }
}

const continueLine = /^HTTP\/1\.\d 100[ \r]/;

/**
 * Renames the `100 Continue` at the beginning of a chunk to 102, an interim response that undici reads past too. True
 * where the chunk holds nothing behind them, so that another may follow.
 */
function endsWithContinue(chunk: Buffer): boolean {
  let position = 0;
  while (continueLine.test(chunk.toString('latin1', position, position + 13))) {
    chunk.write('102', position + 9, 'latin1');
    const end = chunk.indexOf('\r\n\r\n', position);
    if (end < 0 || end + 4 >= chunk.length) return true;
    position = end + 4;
  }
  return false;
}
