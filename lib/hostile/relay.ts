import { connect, createServer, type Server, type Socket } from 'node:net';
import { listen, type Listening } from './server.js';

/** Carries the bytes of a connection to a port on loopback and back. */
function carryTo(port: number): (socket: Socket) => void {
  return (socket) => {
    const onward = connect(port, '127.0.0.1');
    socket.on('error', () => onward.destroy()).on('close', () => onward.destroy());
    onward.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.pipe(onward).pipe(socket);
  };
}

/** A relay to a service that can be cut and restored at the same address. */
export interface Line {
  readonly port: number;
  /** Cuts every connection and accepts no more. */
  readonly cut: () => Promise<void>;
  readonly mend: () => Promise<void>;
}

/** Opens a relay to a port on loopback. `front` makes the server that accepts its connections. */
export async function layLine(
  port: number,
  front: (carry: (socket: Socket) => void) => Server = createServer,
): Promise<Line> {
  const open = (at?: number): Promise<Listening> => listen(front(carryTo(port)), at);
  let listening = await open();
  return {
    port: listening.port,
    cut: () => listening.close(),
    mend: async () => {
      listening = await open(listening.port);
    },
  };
}
