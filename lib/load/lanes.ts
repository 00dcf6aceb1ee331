import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../http/clock/clock.js';
import { connectorFor } from '../http/connection/connector.js';
import type { VolleyCount } from '../record/record.js';
import { startEngine } from './engine.js';
import { Lane, type LoadTarget } from './lane.js';

/** Connections opened at a time, below what a server's queue of new ones usually holds (511 in Node). */
const openedAtOnce = 128;

/**
 * A connection is open for us before the server has accepted it; Node accepts one in each turn of its event loop.
 * Without a pause for that, requests that leave together are served one after the other.
 */
const settlingMs = 40;

/** Lanes to one target. */
export interface Lanes {
  readonly lanes: readonly Lane[];
  /** Closes all lanes; what is under way ends as `aborted`. Resolves with what autocannon has counted. */
  readonly close: () => Promise<VolleyCount>;
}

/**
 * Lanes whose connections are not open yet.
 * @param places how the target is reached; lanes take them in turn
 * @param count at least one
 */
export async function openLanes(
  places: readonly [LoadTarget, ...LoadTarget[]],
  count: number,
  clock: Clock,
): Promise<Lanes> {
  const ways = places.map((target) => ({ target, connect: connectorFor(new URL(target.baseUrl), target) }));
  const lanes: Lane[] = [];
  const engine = await startEngine(new URL(places[0].baseUrl).origin, count, (client) => {
    const way = ways[lanes.length % ways.length];
    if (way) lanes.push(new Lane(client, way.target, way.connect, clock));
  });
  return {
    lanes,
    close() {
      for (const lane of lanes) lane.close();
      return engine.counted;
    },
  };
}

/** Opens the connections of lanes, so that a burst leaves at once and opening them spends nothing of the key's quota. */
export async function warm(lanes: readonly Lane[]): Promise<void> {
  for (let first = 0; first < lanes.length; first += openedAtOnce)
    await Promise.all(lanes.slice(first, first + openedAtOnce).map((lane) => lane.warm()));
  if (lanes.length === 1) return;
  await delay(settlingMs + lanes.length / 5);
  // A server in this process stood still whenever we did: its turns are counted instead.
  for (let turns = 0; turns < lanes.length; turns += 1) await turn();
}
