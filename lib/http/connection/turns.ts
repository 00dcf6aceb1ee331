import type { Socket } from 'node:net';

/** One connection, and since when the request that it carries has been waiting for an answer. */
export interface Line {
  readonly socket: Socket;
  answered: boolean;
  waiting?: { readonly since: number; readonly alarm: NodeJS.Timeout | undefined };
}

/** An answer may take so many times as long as any before it, and is still no sign that the connection is not served. */
const patience = 3;

/**
 * A target may serve fewer connections at a time than it accepts: one, where it has a single thread. The others then
 * wait until one of those before them is closed, and a client that keeps its connections open waits for itself. So where
 * a new connection stays without an answer while others are answered, these are closed as soon as they carry nothing.
 * Where that helped, each request gets a connection of its own from then on.
 */
export class Turns {
  readonly #lines = new Set<Line>();
  readonly #starving = new Set<Line>();
  readonly #shortestWait: number;
  #longestAnswer = 0;
  #gaveWay = false;
  #inTurns = false;

  /** @param shortestWait milliseconds that any connection is given for its first answer; a second by default */
  constructor(shortestWait = 1_000) {
    this.#shortestWait = shortestWait;
  }

  /** A connection was opened. */
  opened(socket: Socket): Line {
    const line: Line = { socket, answered: false };
    this.#lines.add(line);
    socket.once('close', () => {
      this.#rests(line);
      this.#lines.delete(line);
    });
    return line;
  }

  /** A request is being written to a connection. */
  began(line: Line): void {
    this.#rests(line);
    const wait = Math.max(this.#shortestWait, patience * this.#longestAnswer);
    line.waiting = {
      since: performance.now(),
      alarm: line.answered ? undefined : setTimeout(() => this.#waitsLong(line), wait),
    };
  }

  /** The response to the request on a connection is complete. */
  answered(line: Line): void {
    if (!line.waiting) return;
    const took = performance.now() - line.waiting.since;
    const starved = this.#rests(line);
    line.answered = true;
    if (starved) this.#inTurns ||= this.#gaveWay;
    else this.#longestAnswer = Math.max(this.#longestAnswer, took);
    if (this.#starving.size > 0) this.#giveWay(line);
    else if (this.#inTurns) line.socket.destroy();
  }

  /** Returns whether the connection was waiting for longer than it should have. */
  #rests(line: Line): boolean {
    clearTimeout(line.waiting?.alarm);
    delete line.waiting;
    return this.#starving.delete(line);
  }

  #waitsLong(line: Line): void {
    const others = [...this.#lines].filter((other) => other !== line);
    // If no other request got a response either, the target is slow or gone, not crowded.
    if (!others.some(({ answered }) => answered)) return;
    this.#starving.add(line);
    for (const other of others) if (!other.waiting) this.#giveWay(other);
  }

  #giveWay(line: Line): void {
    this.#gaveWay = true;
    line.socket.destroy();
  }
}
