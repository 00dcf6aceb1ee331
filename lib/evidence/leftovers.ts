import { isCreation, type Exchange } from './exchange.js';
import type { RunRecord } from './record/record.js';

/**
 * What a run left in the store: there is no operation that would remove it. A creation whose response never came may be
 * among what listings show. @param marker begins every name of the run
 */
export function leftoversOf(all: readonly Exchange[], marker: string | undefined): RunRecord['leftovers'] {
  const listed = new Map<string, string>();
  const created = new Map<string, string>();
  for (const one of all) {
    for (const { id, shown } of one.operation === 'listPets' ? (one.animals ?? []) : []) {
      const { name } = shown;
      if (marker !== undefined && typeof name === 'string' && name.startsWith(marker)) listed.set(id, name);
    }
    const animal = isCreation(one) ? one.created : undefined;
    if (!animal || created.has(animal.id)) continue;
    const { name } = animal.shown;
    created.set(animal.id, typeof name === 'string' ? name : (one.nameSent ?? ''));
  }
  return [...new Map([...listed, ...created])].map(([id, name]) => ({ id, name }));
}
