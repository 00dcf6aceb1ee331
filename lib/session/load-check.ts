import { brokenReason, type Exchange } from '../http/exchange/exchange.js';
import type { Client } from '../http/client/client.js';
import type { NewPet } from './control-search.js';
import type { Store } from './store.js';

/** What listings at the same moment, and one after the other, are requested for. */
export const atOnce = 'ten at once';
export const oneByOne = 'one by one';
/** Requests that a target must serve at once (ROBUST-01). */
export const underWay = 10;
const mostRounds = 5;
/** Lost requests in two rounds that a network seldom loses. */
const enough = 6;

/**
 * If responses were lost, sends ten requests of the operation that lost most at once, again and again, to tell a target
 * that can't serve ten from a network that loses some: a round without a loss ends it. Then as many one by one, for
 * comparison.
 */
export async function checkLoad(client: Client, store: Store): Promise<void> {
  const { exchanges } = client.log;
  const all = exchanges.filter(isLost);
  if (all.length === 0) return;
  const creates = all.filter(({ operation }) => operation === 'createPet').length > all.length / 2;
  const newPets = async (purpose: string): Promise<NewPet[]> =>
    Promise.all(Array.from({ length: underWay }, async () => store.newPetOfOtherStatus(purpose)));
  let lost = 0;
  for (let round = 1; round <= mostRounds && (round <= 2 || lost < enough); round += 1) {
    const before = exchanges.length;
    const api = store.api(atOnce);
    if (creates) await api.createTogether(await newPets(atOnce));
    else await api.listTogether([['limit', 1]], underWay);
    const more = exchanges.slice(before).filter((one) => isLost(one) && one.repeats === undefined).length;
    if (more === 0) return;
    lost += more;
  }
  const api = store.api(oneByOne);
  const bodies = creates ? await newPets(oneByOne) : [];
  await api.inSequence(
    Array.from(
      { length: underWay },
      (_, index) => async () => (creates ? api.createPet(bodies[index] ?? {}) : api.listPets([['limit', 1]])),
    ),
  );
}

/** Whether no response of the target came. */
export function isLost(exchange: Exchange): boolean {
  return exchange.failure?.kind !== 'aborted' && brokenReason(exchange) !== undefined;
}
