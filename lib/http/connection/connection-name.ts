import type { Socket } from 'node:net';

const names = new WeakMap<Socket, string>();
let named = 0;

/** The name of a connection, `c1`, `c2`, … in the order in which they are asked for. */
export function connectionName(socket: Socket): string {
  let name = names.get(socket);
  if (name === undefined) {
    named += 1;
    name = `c${named}`;
    names.set(socket, name);
  }
  return name;
}
