import type * as fc from 'fast-check';
import { Draw, type SearchRoom } from '../draw/seeded.js';
import type { Evidence, EvidenceFacts } from '../evidence/evidence.js';
import type { Exchange } from '../evidence/exchange.js';
import type { Client } from '../http/client/client.js';
import type { RequirementId } from '../specification/catalogue.js';
import type { Store } from './store.js';

/** What all probes of a run share. */
interface OfRun {
  readonly client: Client;
  readonly store: Store;
  readonly facts: EvidenceFacts;
  /** What all exchanges so far show. */
  readonly evidence: () => Evidence;
  /** Loads the target's interface description, once in a run. */
  readonly describedInterface: () => Promise<void>;
  /** Measures the limits of the run: once, for the first requirement that needs them. */
  readonly limits: () => Promise<void>;
}

export type Probe = Readonly<ReturnType<typeof probeOf>>;

/** Requests that a search leaves of the run's budget. */
const leftForOthers = 50;

/** All that a probe is given. What it requests is recorded under its requirement's id. */
export function probeOf(id: RequirementId, { client, ...shared }: OfRun) {
  const { store } = shared;
  const { clock, seed } = store.settings;
  const draw = new Draw(seed, id);
  return {
    ...store.for(id),
    ...shared,
    draw,
    exchanges: client.log.exchanges as readonly Exchange[],
    /** Sends examples and drawn values, and smaller ones than the first for which a property does not hold. */
    search: <Value>(
      arbitrary: fc.Arbitrary<Value>,
      room: SearchRoom<Value>,
      holds: (value: Value) => Promise<boolean>,
    ) => {
      const shrinks = Math.min(room.shrinks, client.budget.left - leftForOthers);
      return draw.search(arbitrary, { ...room, shrinks }, holds);
    },
    retryUntil: store.retryUntil,
    /** Waits until a moment of the run's clock, in milliseconds; not at all if it is past. */
    waitUntil: (moment: number) => clock.sleep(Math.max(0, moment - clock.now()), client.signal),
  };
}
