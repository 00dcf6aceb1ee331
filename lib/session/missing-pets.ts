import type { Probe } from '../requirement/requirement.js';
import { animalOf } from './animal.js';
import type { ApiResponse } from './api-response.js';
import { getCreated } from './creation.js';

/** Missing animals that are requested, one by one, to find one that still exists. */
const mostRequested = 5;

/**
 * Whether a listing omits an animal that the store still holds, though earlier listings showed it. Other clients may have
 * removed animals that they added, or changed their status, so those are requested by their identifiers; animals that
 * the run created are taken to be unchanged.
 * @param before identifiers that were listed before, and that belong in the listing
 * @param status the filter of the listing
 */
export async function omitsKnownPets(
  probe: Probe,
  listing: ApiResponse,
  before: readonly string[],
  status?: string,
): Promise<boolean> {
  const shown = new Set((listing.animals ?? []).map(({ id }) => id));
  const missing = before.filter((id) => !shown.has(id));
  if (missing.some((id) => probe.store.knownPets.created.has(id))) return true;
  const requested = missing.slice(0, mostRequested);
  const responses = await Promise.all(requested.map(async (id) => getCreated(probe, id)));
  const existing = responses.filter((response) => response.status === 200);
  return existing.some(({ json }) => status === undefined || animalOf(json)?.shown.status === status);
}
