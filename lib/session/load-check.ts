import type { Exchange } from '../evidence/exchange.js';
import type { Client } from '../http/client/client.js';
import { petStatuses } from '../specification/body-schema.js';
import type { Query } from './api.js';
import { bodySent } from './compare-pets.js';
import type { NewPet } from './control-search.js';
import { fullPage } from '../specification/page-size.js';
import { type Store } from './store.js';

/** What listings at the same moment, and one after the other, are requested for. */
export const atOnce = 'ten at once';
const oneByOne = 'one by one';
/** Requests that a target must serve at once (ROBUST-01). */
export const underWay = 10;
const mostRounds = 5;
/** Lost requests in two rounds that a network seldom loses. */
const enough = 6;

/**
 * If responses were lost, sends ten requests of the operation that lost most at once, again and again, to tell a target
 * that can't serve ten from a network that loses some: a round without a loss ends it. As many are sent one by one, for
 * comparison; if the first of them is lost, there is nothing to compare with.
 */
export async function checkLoad(client: Client, store: Store): Promise<void> {
  const { exchanges } = client.log;
  const lostBefore = exchanges.filter(isLost);
  if (lostBefore.length === 0) return;
  const creates =
    lostBefore.filter(({ operation }) => operation === 'createPet').length > lostBefore.length / 2;
  const newPets = async (purpose: string): Promise<NewPet[]> =>
    Promise.all(Array.from({ length: underWay }, async () => store.newPetOfOtherStatus(purpose)));
  const single = store.api(oneByOne);
  const sendOne = async (): Promise<Exchange> =>
    creates ? single.createPet(await store.newPetOfOtherStatus(oneByOne)) : single.listPets([['limit', 1]]);
  const began = exchanges.length;
  await sendOne();
  if (exchanges.slice(began).some(isLost)) return;
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
  await single.inSequence(Array.from({ length: underWay - 1 }, () => sendOne));
}

/**
 * Lists what creations may have added whose responses were lost, under the statuses that were sent: nothing else tells
 * what they left in the store.
 */
export async function listLost(client: Client, store: Store): Promise<void> {
  const { created } = store.knownPets;
  const creations = client.log.exchanges.filter((one) => one.operation === 'createPet' && isLost(one));
  if (creations.length === 0 || created.size === 0) return;
  const sent = new Set(creations.map((one) => bodySent(one).status));
  const filters = petStatuses
    .filter((status) => sent.has(status))
    .map((status): Query => [['status', status]]);
  const api = store.api('leftovers');
  for (const filter of filters.length === sent.size ? filters : [...filters, []])
    await api.listPets([...filter, ['limit', fullPage]]);
}

/** Whether no response of the target came. */
function isLost(exchange: Exchange): boolean {
  return exchange.failure?.kind !== 'aborted' && exchange.broken !== undefined;
}
