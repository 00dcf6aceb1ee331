import { createServer, type Socket } from 'node:net';
import type { HostileTarget } from './fixture.js';
import { listen, targetOn } from './server.js';

/** A target that is not an HTTP server: `onConnection` handles each of its connections. */
export async function serveConnections(
  onConnection: (socket: Socket, number: number) => void,
): Promise<HostileTarget> {
  let connections = 0;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    connections += 1;
    onConnection(socket, connections);
  });
  return targetOn(await listen(server));
}

/** A target that is not an HTTP server: `onRequest` handles each request. The suite's requests arrive in one piece. */
export function serveRequests(onRequest: (socket: Socket, request: string) => void): Promise<HostileTarget> {
  return serveConnections((socket) => {
    socket.on('data', (chunk) => onRequest(socket, chunk.toString('latin1')));
  });
}

/** Responds to each request with the same bytes and closes the connection. */
export function serveBytes(bytes: string | Uint8Array): () => Promise<HostileTarget> {
  return () => serveRequests((socket) => socket.end(bytes));
}

/** Writes chunks until there are no more or the other side has gone, no faster than they are read. */
export function pour(socket: Socket, chunks: Iterable<string | Uint8Array>): void {
  const source = chunks[Symbol.iterator]();
  const write = (): void => {
    while (!socket.destroyed) {
      const next = source.next();
      if (next.done) {
        socket.end();
        return;
      }
      if (!socket.write(next.value)) {
        socket.once('drain', write);
        return;
      }
    }
  };
  write();
}

/** Turns of the event loop in which a client in this process has read what was written to it. */
const turnsOfReading = 10;

/**
 * Writes bytes, and goes on when a client in this process has read them. What goes on is a reset, say: to libuv, one that
 * comes together with bytes is the end of the connection.
 */
export function writeAndThen(socket: Socket, bytes: string | Uint8Array, goOn: () => void): void {
  let turns = 0;
  const next = (): void => {
    turns += 1;
    if (turns < turnsOfReading) setImmediate(next);
    else goOn();
  };
  socket.write(bytes, next);
}

/** Writes the parts of an iterable one by one, `intervalMs` apart, until the other side has gone. */
export function drip(socket: Socket, parts: Iterable<string | Uint8Array>, intervalMs: number): void {
  const source = parts[Symbol.iterator]();
  const timer = setInterval(() => {
    const next = source.next();
    if (next.done) clearInterval(timer);
    else socket.write(next.value);
  }, intervalMs);
  socket.on('close', () => clearInterval(timer));
}

/** The same value over and over. */
export function* forever<Value>(value: Value): Generator<Value> {
  for (;;) yield value;
}
