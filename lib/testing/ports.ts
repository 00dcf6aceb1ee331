import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port that nothing listens on: no system gives it to a server that takes any, and programs leave it alone. */
export const closedPort = 1;

/**
 * A port for a program that must be told its port before it starts. Systems give none of these to a server that takes
 * any (Linux begins at 32,768), so that no other test has it by then.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const server = createServer();
    try {
      await once(server.listen(port, '127.0.0.1'), 'listening');
      await once(server.close(), 'close');
      return port;
    } catch {
      // Somebody listens there.
    }
  }
}
