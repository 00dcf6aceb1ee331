import { petStatuses, type PetStatus } from '../specification/body-schema.js';
import { fullPage } from '../specification/page-size.js';
import { Inconclusive } from '../verdict/outcome.js';
import type { Probe } from './probe.js';

/** Whether one more page is requested at the end of a run, for what refused creations added late. */
export const looksLate = { quick: false, standard: true, thorough: true };
/** Milliseconds after the last refused creation until which it may show what it left: within the consistency time. */
const lateMs = 500;

/** Creates an animal after the refused ones, and requests pages that would show it, and what they left. */
export async function sendSideEffects(probe: Probe, late: boolean): Promise<void> {
  const { store, evidence, facts, waitUntil } = probe;
  const status = await sideEffects(probe);
  if (!late) return;
  await store.once('last page', async () => {
    const refused = evidence().creations.all.filter(({ status: answer = 0 }) => answer >= 400);
    const last = Math.max(0, ...refused.map(({ sentAt }) => sentAt));
    await waitUntil(last + Math.min(lateMs, facts.consistencyMs));
    return store.api('side effects').listPets({ status, limit: fullPage });
  });
}

/**
 * Shows, once in a run, what refused creations left: an animal created after them (the control), and the pages on which it
 * can be seen. Returns the control's status.
 */
export async function sideEffects({ store }: Probe): Promise<PetStatus | undefined> {
  return store.once('side effects', async () => {
    const { api, newPet, listUntilShown } = store.for('side effects');
    const control = await api.createPet(await newPet());
    if (!control.created)
      throw new Inconclusive(
        `the control created after the refused ones was refused: ${String(control)}`,
        'CREATE-01',
      );
    const status = petStatuses.find((one) => one === control.created?.shown.status);
    const others = petStatuses.filter((other) => other !== status);
    // A filter shows something only if the store holds it; a run of few requirements has not created each status.
    const isGiven = (await store.accepted()).status !== undefined;
    for (const other of others)
      if (isGiven && store.pets.count(other) === 0)
        await api.createPet({ ...(await newPet()), status: other });
    // One page is waited for, and requested again and again, before the others are requested.
    await listUntilShown(status);
    await Promise.all([undefined, ...others].map((other) => listUntilShown(other)));
    return status;
  });
}
