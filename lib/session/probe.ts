import type * as fc from 'fast-check';
import { smallestCounterexample, type SearchRoom } from '../draw/search.js';
import { Draw } from '../draw/seeded.js';
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
  readonly describe: () => Promise<void>;
  readonly probeLimits: () => Promise<void>;
}

export type Probe = Readonly<ReturnType<typeof probeOf>>;

/** All that a probe is given. What it requests is recorded under its requirement's id. */
export function probeOf(id: RequirementId, session: OfRun) {
  const { client, store, facts, evidence, describe, probeLimits } = session;
  const { clock, seed } = store.settings;
  const draw = new Draw(seed, id);
  return {
    ...store.for(id),
    store,
    facts,
    draw,
    evidence,
    exchanges: client.log.exchanges as readonly Exchange[],
    /** Loads the target's interface description, once in a run. */
    describedInterface: () => store.once('description', describe),
    /** Measures the limits of the run: once, for the first requirement that needs them. */
    limits: () => store.once('limits', probeLimits),
    /** Sends examples and drawn values, and looks for the smallest for which a property does not hold. */
    search: <Value>(
      arbitrary: fc.Arbitrary<Value>,
      { shrinks, ...room }: SearchRoom<Value>,
      holds: (value: Value) => Promise<boolean>,
    ) => {
      const left = (): number => Math.max(0, Math.min(shrinks, client.budget.left - 50));
      return smallestCounterexample(arbitrary, { ...room, seed: draw.seed(), shrinks: left }, holds);
    },
    /** Patience with a target that shows what was created with a delay. */
    retryUntil: store.retryUntil,
    /** Waits until a moment of the run's clock, in milliseconds; not at all if it is past. */
    waitUntil: (moment: number) => clock.sleep(Math.max(0, moment - clock.now()), client.signal),
  };
}
