import type { Exchange } from '../evidence/exchange.js';
import { petStatuses } from '../specification/body-schema.js';
import { fullPage } from '../specification/page-size.js';
import type { Probe } from './probe.js';

export const atOnce = 'ten at once';
/** Requests that a target must serve at once (ROBUST-01), and rounds of them in which it may lose some. */
export const underWay = 10;
export const roundsAtOnce = 3;

/**
 * If responses were lost, sends ten requests of the operation that lost most at once, and again, to tell a target that can't
 * serve ten from a network that loses some: a round without a loss ends it. Then lists what lost creations may have added,
 * under the statuses that were sent: nothing else tells what they left in the store.
 */
export async function checkLoad({ store, exchanges }: Probe): Promise<void> {
  const lost = exchanges.filter(isLost);
  const creates = lost.filter(({ operation }) => operation === 'createPet').length > lost.length / 2;
  const { api, newPetOfOtherStatus } = store.for(atOnce);
  let before = 0;
  for (let round = 1; round <= roundsAtOnce && exchanges.slice(before).some(isLost); round += 1) {
    before = exchanges.length;
    const bodies = Array.from({ length: underWay }, async () =>
      creates ? newPetOfOtherStatus() : undefined,
    );
    await api.together(await Promise.all(bodies));
  }
  const creations = exchanges.filter((one) => one.operation === 'createPet' && isLost(one));
  const statuses = creations.map(({ members }) => petStatuses.find((one) => one === members.status));
  if (store.pets.created.size === 0) return;
  for (const status of new Set(statuses))
    await store.for('leftovers').api.listPets({ status, limit: fullPage });
}

function isLost({ broken }: Exchange): boolean {
  return broken !== undefined;
}
