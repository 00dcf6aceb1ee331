import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'undici';
import { directConnector, tunnelConnector, type Connector } from '../http/connection/connector.js';
import { proxyFor } from '../http/connection/proxy.js';
import { tlsOptions } from '../http/connection/tls.js';
import type { LoadTarget } from './load-target.js';

const connectMs = 5_000;
/** Connections opened at a time, below what a server's queue of new ones usually holds (511 in Node). */
const openedAtOnce = 128;

/**
 * A connection is open for us before the server has taken it in, which Node does one at a time, a turn of its loop each.
 * Without a moment for that, requests that leave together are answered one after the other.
 */
const settlingMs = 40;

/** How connections to a target are opened: straight, or through the tunnel of its proxy. */
export function connectorFor(target: LoadTarget): Connector {
  const origin = new URL(target.baseUrl);
  const tls = tlsOptions(origin.hostname, target.ca, target.insecure);
  const proxy = proxyFor(origin, target.environment ?? {});
  return proxy ? tunnelConnector(proxy, tls, connectMs) : directConnector(tls, connectMs);
}

/**
 * undici clients of one connection each, connected before the first request, so that a burst leaves at once and opening
 * connections spends nothing of the key's quota. If one cannot be opened beforehand, or is gone by the time it is
 * needed, its client opens one itself and reports what then goes wrong. Through a proxy everything goes by its tunnel.
 */
export async function warmClients(target: LoadTarget, connections: number): Promise<Client[]> {
  const connect = connectorFor(target);
  const clients: Client[] = [];
  while (clients.length < connections) {
    const share = Math.min(openedAtOnce, connections - clients.length);
    const opened = await Promise.all(Array.from({ length: share }, () => openSocket(target, connect)));
    clients.push(...opened.map((socket) => clientOver(target, connect, socket)));
  }
  if (connections > 1) await delay(settlingMs + connections / 5);
  return clients;
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
    pipelining: 1,
    // The deadline of a request as a whole is the volley's; undici's would begin anew with every byte.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 30_000,
    maxHeaderSize: 64 * 1024,
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
