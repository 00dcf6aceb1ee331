import { createdAnimal } from './creation.js';
import { showSame } from './compare-pets.js';
import type { Probe } from './probe.js';

/** The control of what must not change an animal: one that nobody touches is shown twice in the same way. */
export async function isShownSteadily({ api, store, retryUntil }: Probe): Promise<boolean> {
  return store.once('steadily shown', async () => {
    const created = await api.createPet(await store.freshBody('control'));
    const animal = createdAnimal(created);
    if (!animal) return false;
    const first = await retryUntil(
      () => api.getPet(animal.id),
      ({ status }) => status !== 404,
    );
    const second = await api.getPet(animal.id);
    return first.status === second.status && showSame(first, second);
  });
}
