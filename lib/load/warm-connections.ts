import type { Socket } from 'node:net';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { Client } from 'undici';
import { connectorFor, dispatcherOptions, type Connector } from '../http/connection/connector.js';
import type { LoadTarget } from './send.js';

/** Connections opened at a time, below what a server's queue of new ones usually holds (511 in Node). */
const openedAtOnce = 128;

/**
 * A connection is open for us before the server has accepted it; Node accepts one in each turn of its event loop.
 * Without a pause for that, requests that leave together are served one after the other.
 */
const settlingMs = 40;

/** A connection, and how its target is reached. */
export interface Lane {
  readonly client: Client;
  readonly target: LoadTarget;
}

/**
 * undici clients of one connection each, connected before the first request, so that a burst leaves at once and opening
 * connections spends nothing of the key's quota. If one cannot be opened beforehand, or is gone by the time it is
 * needed, its client opens one itself and reports what then goes wrong.
 * @param places how the target is reached; connections take them in turn
 */
export async function warmLanes(places: readonly LoadTarget[], connections: number): Promise<Lane[]> {
  const connectors = places.map((target) => ({
    target,
    connect: connectorFor(new URL(target.baseUrl), target),
  }));
  const lanes: Lane[] = [];
  while (lanes.length < connections) {
    const share = Math.min(openedAtOnce, connections - lanes.length);
    const opened = Array.from({ length: share }, async (_unused, index) => {
      const place = connectors[(lanes.length + index) % connectors.length];
      if (!place) return [];
      const { target, connect } = place;
      return [{ target, client: clientOver(target, connect, await openSocket(target, connect)) }];
    });
    lanes.push(...(await Promise.all(opened)).flat());
  }
  if (connections > 1) {
    await delay(settlingMs + connections / 5);
    // A server in this process stood still whenever we did: its turns are counted instead.
    for (let turns = 0; turns < connections; turns += 1) await turn();
  }
  return lanes;
}

function openSocket(target: LoadTarget, connect: Connector): Promise<Socket | undefined> {
  const { hostname, host, protocol, port } = new URL(target.baseUrl);
  return new Promise((resolve) => {
    // IPv6 literals stand in brackets in a URL and without them in a socket's address.
    connect({ hostname: hostname.replace(/^\[|\]$/g, ''), host, protocol, port }, (_error, socket) =>
      resolve(socket ?? undefined),
    );
  });
}

function clientOver(target: LoadTarget, connect: Connector, socket: Socket | undefined): Client {
  let warm = socket;
  // A socket that nobody listens to yet would take the process down with its error.
  const ignore = (): void => undefined;
  warm?.on('error', ignore);
  return new Client(new URL(target.baseUrl).origin, {
    ...dispatcherOptions,
    keepAliveTimeout: 30_000,
    keepAliveMaxTimeout: 30_000,
    connect: (options, callback) => {
      const usable = warm !== undefined && !warm.destroyed && warm.writable ? warm : undefined;
      warm?.off('error', ignore);
      warm = undefined;
      // Not at once: undici is in the middle of its work here, and would not notice that it may go on.
      if (usable) queueMicrotask(() => callback(null, usable));
      else connect(options, callback);
    },
  });
}
