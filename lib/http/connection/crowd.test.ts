import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Received } from './reception.js';
import { createTransport, type Transport } from './transport.js';

const open: Array<() => Promise<unknown>> = [];

afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** A server of `[]` that keeps connections open and serves so many at a time; those beyond wait for one to be closed. */
async function serves(
  atATime: number,
  answerAfterMs = 0,
): Promise<{ transport: Transport; connections: () => number; served: () => number }> {
  let accepted = 0;
  let served = 0;
  const queue: Socket[] = [];
  const server = createServer((_request, response) => {
    setTimeout(() => response.end('[]'), answerAfterMs);
  });
  const [serve] = server.listeners('connection');
  const admit = (socket: Socket): void => {
    served += 1;
    socket.once('close', () => {
      served -= 1;
      const next = queue.shift();
      if (next) admit(next);
    });
    serve?.call(server, socket);
  };
  server.removeAllListeners('connection').on('connection', (socket) => {
    accepted += 1;
    if (served < atATime) admit(socket);
    else queue.push(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
        for (const socket of queue) socket.destroy();
      }),
  );
  const { port } = server.address() as AddressInfo;
  const transport = createTransport({
    origin: `http://127.0.0.1:${port}`,
    deadlineMs: 4_000,
    crowdedMs: 200,
  });
  open.push(() => transport.close());
  return { transport, connections: () => accepted, served: () => served };
}

async function many(transport: Transport, count: number): Promise<Received[]> {
  const request = { method: 'GET', path: '/v1/pets', headers: [] };
  return Promise.all(Array.from({ length: count }, () => transport.send(request)));
}

describe('a target that serves few connections at a time', () => {
  it.each([1, 2, 4])('%d of them: has every request answered', async (atATime) => {
    const { transport } = await serves(atATime);
    const results = await many(transport, 40);
    expect(results.filter(({ failure }) => failure)).toEqual([]);
  });

  it('is asked each request on a connection of its own, once that was seen', async () => {
    const { transport, connections } = await serves(1);
    await many(transport, 20);
    const before = connections();
    await many(transport, 20);
    expect(connections() - before).toBeGreaterThanOrEqual(19);
  });
});

it('makes room for other senders by closing idle connections, and goes on', async () => {
  const { transport, served } = await serves(100);
  await many(transport, 4);
  expect(served()).toBe(4);
  await transport.makeRoom();
  await expect.poll(served).toBe(0);
  expect(await many(transport, 4)).toMatchObject([200, 200, 200, 200].map((status) => ({ status })));
});

describe('a target that serves all connections', () => {
  it('is asked over connections that stay open', async () => {
    const { transport, connections } = await serves(100);
    await many(transport, 40);
    await many(transport, 40);
    expect(connections()).toBe(8);
  });

  it('is not taken for a crowded one because all its answers take long', async () => {
    const { transport, connections } = await serves(100, 100);
    await many(transport, 1);
    await many(transport, 24);
    expect(connections()).toBe(8);
  });
});
