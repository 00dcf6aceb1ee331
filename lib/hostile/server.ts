import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
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
export function targetOn(
  listening: Listening,
  scheme: 'http' | 'https' = 'http',
  host = '127.0.0.1',
): HostileTarget {
  return { baseUrl: `${scheme}://${host}:${listening.port}/v1`, close: listening.close };
}
