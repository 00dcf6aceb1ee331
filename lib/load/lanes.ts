import { EventEmitter } from 'node:events';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import type { VolleyCount } from '../evidence/record/measurements.js';
import { connectorFor } from '../http/connection/connector.js';
import { Lane, type LaneOptions } from './lane.js';

/** Connections opened at a time, below what a server's queue of new ones usually holds (511 in Node). */
const openedAtOnce = 128;

/**
 * A connection is open for us before the server has accepted it; Node accepts one in each turn of its event loop.
 * Without a pause for that, requests that leave together are served one after the other.
 */
const settlingMs = 40;

/** Seconds of autocannon's own deadline, which never comes: each lane has one of milliseconds. */
const neverComes = 2_000_000;
/** Milliseconds between two looks at whether all clients are done: a volley ends at most so late. */
const sampleMs = 5;
/** autocannon keeps no histograms: percentiles are made from the ledger. */
const unused = { __custom: true, recordValue: () => undefined, destroy: () => undefined };

/** How requests are sent over connections. */
export interface Sending extends Omit<LaneOptions, 'connect'> {
  /** Requests under way at once; a planned one beyond them waits. */
  readonly connections: number;
  /** Source addresses that connections are bound to in turn; default that of the target. */
  readonly localAddresses?: readonly string[] | undefined;
  /** Sends one request at a time, each over the next connection; default false. */
  readonly inTurn?: boolean;
  readonly signal: AbortSignal;
}

/** Lanes to one target. */
export interface Lanes {
  readonly lanes: readonly Lane[];
  /** Closes all lanes; what is under way ends as `aborted`. Resolves with what autocannon has counted. */
  readonly close: () => Promise<VolleyCount>;
}

/**
 * Lanes whose connections are open, at least one: a burst leaves at once, and opening them spends nothing of the key's quota.
 * autocannon's own scheduler never sends: each lane does, over one client.
 */
export async function openLanes({ connections, localAddresses, ...options }: Sending): Promise<Lanes> {
  const origin = new URL(options.target.baseUrl);
  const ways = (localAddresses ?? [options.target.localAddress]).map((localAddress) => {
    const target = { ...options.target, localAddress };
    return { ...options, target, connect: connectorFor(origin, target) };
  });
  const lanes: Lane[] = [];
  // Half of a second of CPU for a run that needs no load would be a pity.
  const { default: run } = await import('autocannon/lib/run.js');
  const counted = new Promise<VolleyCount>((resolve, reject) => {
    run(
      {
        url: origin.origin,
        connections,
        amount: Number.MAX_SAFE_INTEGER,
        pipelining: 1,
        timeout: neverComes,
        sampleInt: sampleMs,
        method: 'GET',
        headers: {},
        requests: [{}],
        skipAggregateResult: true,
        histograms: { latencies: unused, requests: unused, throughput: unused },
        setupClient(client) {
          const way = ways[lanes.length % ways.length];
          if (way) lanes.push(new Lane(client, way));
        },
      },
      new EventEmitter(),
      (error, { totalRequests, statusCodeStats, errors }) => {
        const statuses = Object.entries(statusCodeStats).map(([status, seen]) => [status, seen.count]);
        if (error) reject(error);
        else resolve({ sent: totalRequests - connections, byStatus: Object.fromEntries(statuses), errors });
      },
    );
  });
  await warm(lanes);
  const close = (): Promise<VolleyCount> => {
    for (const lane of lanes) lane.close();
    return counted;
  };
  return { lanes, close };
}

async function warm(lanes: readonly Lane[]): Promise<void> {
  for (let first = 0; first < lanes.length; first += openedAtOnce)
    await Promise.all(lanes.slice(first, first + openedAtOnce).map((lane) => lane.open()));
  if (lanes.length === 1) return;
  await delay(settlingMs + lanes.length / 5);
  // A server in this process stood still whenever we did: its turns are counted instead.
  for (let turns = 0; turns < lanes.length; turns += 1) await turn();
}
