import { serve } from '@hono/node-server';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Animal } from './operations/animal.js';
import { alter, type Service } from './behaviour.js';
import { conformingBehaviour } from './reference-behaviour.js';
import { otherKey, referenceKeys, type ReferenceKey } from './keys.js';
import { createLimiter } from './limiter/limiter.js';
import type { ReferenceOptions } from './options.js';
import { createApp } from './service.js';
import { AnimalStore } from './operations/store.js';

/**
 * The embedded reference service: the specification served over real HTTP on the loopback interface, conforming in every
 * requirement of the catalogue. It shares no schema and no judgement with the suite: a mistake in shared code would
 * hide the same mistake in the service.
 */
export interface ReferenceService {
  /** `http://127.0.0.1:<port>/v1` */
  readonly baseUrl: string;
  readonly keys: readonly ReferenceKey[];
  /** Requests that have arrived so far. */
  readonly requestCount: () => number;
  /** The animals in the store, the oldest first. */
  readonly animals: () => readonly Animal[];
  /** Cuts open connections and frees the port. May be called more than once. */
  readonly close: () => Promise<void>;
}

const minute = 60_000;
const day = 86_400_000;

/**
 * Starts a reference service.
 * @throws if the port cannot be listened on (EADDRINUSE, EACCES), and for an empty list of keys
 */
export async function serveReference(options: ReferenceOptions = {}): Promise<ReferenceService> {
  const {
    keys = [...Object.values(referenceKeys), otherKey],
    now = Date.now,
    windowMs = minute,
    dayMs = day,
  } = options;
  if (keys.length === 0) throw new RangeError('the reference service needs at least one key');
  const conforming = conformingBehaviour({ headers: options.headers ?? {}, windowMs });
  const service: Service = {
    store: new AnimalStore(),
    keys,
    behaviour: alter({ ...conforming, ...options.behaviour }, options.alterations ?? []),
    basePath: `/${options.version ?? 'v1'}`,
    now,
  };
  await stock(service, options.animals ?? []);
  let requests = 0;
  const app = createApp({
    service,
    limiter: createLimiter(options.limiter ?? {}, { windowMs, dayMs }),
    anonymous: {
      // No key has a space in it, so that this name never equals a key.
      name: 'without a key',
      perMinute: options.anonymous?.perMinute ?? Math.max(...keys.map(({ perMinute }) => perMinute)),
      perDay: options.anonymous?.perDay ?? Math.max(...keys.map(({ perDay }) => perDay)),
    },
    arrived: () => {
      requests += 1;
    },
  });
  const server = await listen(app.fetch, options);
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://${options.host ?? '127.0.0.1'}:${port}${service.basePath}`,
    keys,
    requestCount: () => requests,
    animals: () => [...service.store.oldestFirst()],
    close: () => close(server),
  };
}

/** Keeps the animals that are there from the start. */
async function stock(service: Service, animals: NonNullable<ReferenceOptions['animals']>): Promise<void> {
  for (const newPet of animals) {
    const id = await service.behaviour.assignId(service, {});
    service.store.add({ ...newPet, id, createdAt: service.now() });
  }
}

function listen(
  fetch: Parameters<typeof serve>[0]['fetch'],
  {
    host = '127.0.0.1',
    port = 0,
    keepAlive = true,
    connections = Number.POSITIVE_INFINITY,
  }: ReferenceOptions,
): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = serve(
      {
        fetch,
        port,
        hostname: host,
        createServer,
        // Long addresses and keys get a response of the service, not of Node.
        serverOptions: { maxHeaderSize: 64 * 1024, keepAlive: true, keepAliveTimeout: 30_000 },
        // Global Request and Response stay those of the process that embeds the service.
        overrideGlobalObjects: false,
        autoCleanupIncoming: true,
      },
      () => resolve(server as Server),
    );
    if (!keepAlive) (server as Server).maxRequestsPerSocket = 1;
    if (Number.isFinite(connections)) (server as Server).maxConnections = connections;
    server.once('error', reject);
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
