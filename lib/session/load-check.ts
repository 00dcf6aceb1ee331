import type { Exchange } from '../evidence/exchange.js';
import { petStatuses } from '../specification/body-schema.js';
import { fullPage } from '../specification/page-size.js';
import type { Probe } from './probe.js';

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
export async function checkLoad({ store, exchanges }: Probe): Promise<void> {
  const lostBefore = exchanges.filter(isLost);
  if (lostBefore.length === 0) return;
  const creates =
    lostBefore.filter(({ operation }) => operation === 'createPet').length > lostBefore.length / 2;
  const single = store.api(oneByOne);
  const sendOne = async (): Promise<Exchange> =>
    creates ? single.createPet(await store.newPetOfOtherStatus(oneByOne)) : single.listPets({ limit: 1 });
  const lostSince = (before: number): number =>
    exchanges.slice(before).filter((one) => isLost(one) && one.repeats === undefined).length;
  const began = exchanges.length;
  await sendOne();
  if (lostSince(began) > 0) return;
  let lost = 0;
  for (let round = 1; round <= mostRounds && (round <= 2 || lost < enough); round += 1) {
    const before = exchanges.length;
    const bodies = Array.from({ length: underWay }, () => store.newPetOfOtherStatus(atOnce));
    if (creates) await store.api(atOnce).createTogether(await Promise.all(bodies));
    else await store.api(atOnce).listTogether({ limit: 1 }, underWay);
    if (lostSince(before) === 0) return;
    lost += lostSince(before);
  }
  await single.inSequence(Array.from({ length: underWay - 1 }, () => sendOne));
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
