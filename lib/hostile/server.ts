import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { HostileTarget } from './fixture.js';

/** A server on a free loopback port whose connections can all be cut. */
export interface Listening {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Listens on loopback, on `port` if it is given. Errors of single connections are intended and ignored. */
export async function listen(server: Server, port = 0): Promise<Listening> {
  const sockets = new Set<Socket>();
  // TLS servers emit the bare connection too, so that a handshake that never ends is cut as well.
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => undefined);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: taken } = server.address() as AddressInfo;
  return {
    port: taken,
    close: async () => {
      if (!server.listening) return;
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

/** The target that a listening server is. */
export function targetOn({ port, close }: Listening, scheme: 'http' | 'https' = 'http'): HostileTarget {
  return { baseUrl: `${scheme}://127.0.0.1:${port}/v1`, close };
}

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

/** Milliseconds between bytes that are written one by one, instead of a second: the deadline of the tests is short. */
const interval = 20;

/** Writes the parts of an iterable one by one, until the other side has gone. */
export function drip(socket: Socket, parts: Iterable<string>): void {
  const source = parts[Symbol.iterator]();
  const timer = setInterval(() => {
    const next = source.next();
    if (next.done) clearInterval(timer);
    else socket.write(next.value);
  }, interval);
  socket.on('close', () => clearInterval(timer));
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

/** The same value over and over. */
export function* forever<Value>(value: Value): Generator<Value> {
  for (;;) yield value;
}
