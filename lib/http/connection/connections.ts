import type { Socket } from 'node:net';
import type { Connector } from './connector.js';
import { startDeadline } from './deadline.js';
import { describeFailure, type TransportFailure } from './failure.js';
import type { Receiver } from './receiver.js';

/** Bytes of headers, interim responses included, and of whatever else comes before the body. */
const maximumOutsideBody = 1024 * 1024;
/** Bytes on the wire for a byte of body, at most: chunks of one byte take six. */
const maximumFraming = 8;
const flood: TransportFailure = {
  kind: 'too-large',
  message: `more than ${maximumOutsideBody} bytes came outside the body; the rest was not read`,
};

/** One connection, and the request that it carries or carried last. */
interface Carrier {
  receiver?: Receiver;
  /** When that request was written; undefined once its response is complete. */
  sentAt?: number | undefined;
  endAlarm?: (() => void) | undefined;
  responded: boolean;
  /** It has waited too long for its first response. */
  overdue: boolean;
  /** Bytes since the request was written. */
  received: number;
  /** What was read last. */
  last?: Buffer;
  /** Whether more than interim `100 Continue` responses came. */
  begun: boolean;
}

/**
 * Watches the connections of a pool for what undici does not show: bytes after a complete response, `100 Continue`
 * responses that were not asked for (RFC 9110 15.2.1 has a client read past them), and how many bytes are not body.
 *
 * A target may also serve fewer connections at a time than it accepts: one, if it has a single thread. A new connection
 * then waits until another one is closed. If it gets no response while others do, these are closed as soon as they are
 * idle. If that helps, every connection is closed after its response from then on.
 */
export class Connections {
  readonly #carriers = new Map<Socket, Carrier>();
  readonly #crowdedMs: number;
  #slowestMs = 0;
  #madeRoom = false;
  #closeEach = false;

  /** @param crowdedMs milliseconds that a new connection has for its first response */
  constructor(crowdedMs = 1_000) {
    this.#crowdedMs = crowdedMs;
  }

  /** The same connector, with its connections watched. */
  watch(connect: Connector): Connector {
    return (options, callback) =>
      connect(options, (...result) => {
        if (result[1]) this.#watchSocket(result[1]);
        callback(...result);
      });
  }

  /** A request is being written to its connection. */
  started(receiver: Receiver): void {
    const { socket } = receiver;
    const carrier = socket && this.#carriers.get(socket);
    if (!carrier) return;
    receiver.reused = carrier.receiver !== undefined;
    Object.assign(carrier, { receiver, sentAt: performance.now(), received: 0, begun: false });
    if (!carrier.responded) this.#setAlarm(carrier);
  }

  /** The response is complete. */
  finished({ socket }: Receiver): void {
    const carrier = socket && this.#carriers.get(socket);
    if (carrier?.sentAt === undefined) return;
    carrier.endAlarm?.();
    if (carrier.overdue) this.#closeEach ||= this.#madeRoom;
    else this.#slowestMs = Math.max(this.#slowestMs, performance.now() - carrier.sentAt);
    Object.assign(carrier, { sentAt: undefined, overdue: false, responded: true });
    if (this.#closeEach || this.#isCrowded) this.#makeRoom(socket);
  }

  /** Whether a connection gets no response while others do. */
  get #isCrowded(): boolean {
    return [...this.#carriers.values()].some(({ overdue }) => overdue);
  }

  #setAlarm(carrier: Carrier): void {
    const patience = Math.max(this.#crowdedMs, 3 * this.#slowestMs);
    carrier.endAlarm = startDeadline(patience, () => this.#isOverdue(carrier));
  }

  #isOverdue(carrier: Carrier): void {
    const others = [...this.#carriers].filter(([, other]) => other !== carrier);
    // If no other connection got a response either, the target is slow or gone, and not crowded.
    carrier.overdue = others.some(([, { responded }]) => responded);
    if (!carrier.overdue) this.#setAlarm(carrier);
    else for (const [socket, { sentAt }] of others) if (sentAt === undefined) this.#makeRoom(socket);
  }

  #makeRoom(socket: Socket | undefined): void {
    this.#madeRoom = true;
    socket?.destroy();
  }

  #watchSocket(socket: Socket): void {
    const carrier: Carrier = { responded: false, overdue: false, received: 0, begun: false };
    this.#carriers.set(socket, carrier);
    socket.once('close', () => {
      carrier.endAlarm?.();
      this.#carriers.delete(socket);
    });
    const read = socket.read.bind(socket);
    const destroy = socket.destroy.bind(socket);
    const unshift = socket.unshift.bind(socket);
    Object.assign(socket, {
      read: (size?: number): unknown => {
        const chunk: unknown = read(size);
        const { receiver } = carrier;
        if (!Buffer.isBuffer(chunk)) return chunk;
        carrier.received += chunk.length;
        if (receiver && carrier.received > maximumOutsideBody + maximumFraming * receiver.bytes) {
          receiver.stop(flood);
          return null;
        }
        carrier.begun ||= !endsWithContinue(chunk);
        carrier.last = chunk;
        return chunk;
      },
      // What follows the response on a connection that is closed after it is not parsed, but put back.
      unshift: (chunk: Buffer): void => {
        if (/[^\r\n]/.test(chunk.toString('latin1'))) carrier.receiver?.bytesAfterEnd(chunk);
        unshift(chunk);
      },
      destroy: (error?: Error): Socket => {
        if (error && describeFailure(error).kind === 'not-http')
          carrier.receiver?.bytesAfterEnd(carrier.last);
        return destroy(error);
      },
    });
  }
}

const continueLine = /^HTTP\/1\.\d 100[ \r]/;

/**
 * Renames the `100 Continue` at the beginning of a chunk to 102, an interim response that undici reads past too. True
 * if nothing follows them in the chunk, so that another may come.
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
