import type { Exchange } from '../evidence/exchange.js';
import { petStatuses } from '../specification/body-schema.js';
import { fullPage } from '../specification/page-size.js';
import type { Probe } from './probe.js';

/** What requests at the same moment are sent for. */
export const atOnce = 'ten at once';
/** Requests that a target must serve at once (ROBUST-01), and rounds of them in which it may lose some. */
export const underWay = 10;
export const roundsAtOnce = 3;

/**
 * If responses were lost, sends ten requests of the operation that lost most at once, and again, to tell a target that can't
 * serve ten from a network that loses some: a round without a loss ends it.
 */
export async function checkLoad({ store, exchanges }: Probe): Promise<void> {
  const lost = exchanges.filter(isLost);
  const creates = lost.filter(({ operation }) => operation === 'createPet').length > lost.length / 2;
  const { api, newPetOfOtherStatus } = store.for(atOnce);
  let hasLost = lost.length > 0;
  for (let round = 1; round <= roundsAtOnce && hasLost; round += 1) {
    const before = exchanges.length;
    const bodies = Array.from({ length: underWay }, async () =>
      creates ? newPetOfOtherStatus() : undefined,
    );
    await api.together(await Promise.all(bodies));
    hasLost = exchanges.slice(before).some(isLost);
  }
}

/**
 * Lists what creations may have added whose responses were lost, under the statuses that were sent: nothing else tells
 * what they left in the store.
 */
export async function listLost({ store, exchanges }: Probe): Promise<void> {
  const creations = exchanges.filter((one) => one.operation === 'createPet' && isLost(one));
  if (creations.length === 0 || store.pets.created.size === 0) return;
  const sent = new Set(creations.map((one) => one.members.status));
  const statuses = petStatuses.filter((status) => sent.has(status));
  for (const status of statuses.length === sent.size ? statuses : [...statuses, undefined])
    await store.api('leftovers').listPets({ status, limit: fullPage });
}

/** Whether no response of the target came. */
function isLost({ broken }: Exchange): boolean {
  return broken !== undefined;
}
