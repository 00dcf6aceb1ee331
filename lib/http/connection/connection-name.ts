import { subscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';

/** What a request is written to. */
interface Connection {
  /** `c1`, `c2`, … */
  readonly name: string;
  readonly socket: Socket;
}

type Listener = (connection: Connection) => void;

const names = new WeakMap<Socket, string>();
let named = 0;
let starting: Listener | undefined;

/**
 * Tells the connection that a request goes over. Call it from `onRequestStart`: undici then writes the request to its
 * socket in the same synchronous step, and says so on its diagnostics channel.
 */
export function onConnection(listener: Listener): void {
  starting = listener;
}

subscribe('undici:client:sendHeaders', (message) => {
  const listener = starting;
  starting = undefined;
  if (!listener || typeof message !== 'object' || message === null || !('socket' in message)) return;
  const { socket } = message;
  if (socket instanceof Socket) listener({ name: nameOf(socket), socket });
});

function nameOf(socket: Socket): string {
  let name = names.get(socket);
  if (name === undefined) {
    named += 1;
    name = `c${named}`;
    names.set(socket, name);
  }
  return name;
}
