import { EventEmitter } from 'node:events';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'autocannon/lib/run.js';
import type { VolleyCount } from '../evidence/record/measurements.js';
import { Lane, type Sending } from './lane.js';
import type { Standstill } from './standstill.js';

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

/**
 * Lanes whose connections are open: a burst leaves at once, and opening them spends nothing of the key's quota. autocannon's
 * own scheduler never sends: each lane does, over one client. `counted` resolves when all lanes are closed.
 */
export async function openLanes({ target, connections, ...sending }: Sending, standstill: Standstill) {
  const addresses = sending.localAddresses ?? [target.localAddress];
  const lanes: Lane[] = [];
  // Half of a second of CPU for a run that needs no load would be a pity.
  const { default: run } = await import('autocannon/lib/run.js');
  const counted = new Promise<VolleyCount>((resolve) => {
    const settings = {
      url: new URL(target.baseUrl).origin,
      connections,
      amount: Number.MAX_SAFE_INTEGER,
      pipelining: 1,
      timeout: neverComes,
      sampleInt: sampleMs,
      method: 'GET',
      requests: [{}],
      skipAggregateResult: true,
      histograms: { latencies: unused, requests: unused, throughput: unused },
      setupClient(client: Client): void {
        const localAddress = addresses[lanes.length % addresses.length];
        const bound = { ...sending, connections, target: { ...target, localAddress } };
        lanes.push(new Lane(client, bound, standstill));
      },
    };
    run(settings, new EventEmitter(), (_, { totalRequests, statusCodeStats, errors }) => {
      const statuses = Object.entries(statusCodeStats).map(([status, { count }]) => [status, count]);
      resolve({ sent: totalRequests - connections, byStatus: Object.fromEntries(statuses), errors });
    });
  });
  for (let first = 0; first < lanes.length; first += openedAtOnce)
    await Promise.all(lanes.slice(first, first + openedAtOnce).map((lane) => lane.open()));
  if (lanes.length > 1) await delay(settlingMs + lanes.length / 5);
  // A server in this process stood still whenever we did: its turns are counted instead.
  for (let turns = 1; turns < lanes.length; turns += 1) await turn();
  return { lanes, counted };
}
