import { subscribe } from 'node:diagnostics_channel';

type Listener = (connection: string) => void;

const names = new WeakMap<object, string>();
let named = 0;
let starting: Listener | undefined;

/**
 * Tells the name (`c1`, `c2`, …) of the connection that a request goes over. Call it from `onRequestStart`: undici then
 * writes the request to its socket in the same synchronous step, and says so on its diagnostics channel.
 */
export function onConnection(listener: Listener): void {
  starting = listener;
}

subscribe('undici:client:sendHeaders', (message) => {
  const listener = starting;
  starting = undefined;
  if (!listener || typeof message !== 'object' || message === null || !('socket' in message)) return;
  const { socket } = message;
  if (typeof socket === 'object' && socket !== null) listener(nameOf(socket));
});

function nameOf(socket: object): string {
  const known = names.get(socket);
  if (known !== undefined) return known;
  named += 1;
  const name = `c${named}`;
  names.set(socket, name);
  return name;
}
