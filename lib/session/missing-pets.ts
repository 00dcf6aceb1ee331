import type { ApiResponse } from '../verdict/api-response.js';
import { animalOf, animalsOf } from './animal.js';
import type { Probe } from './probe.js';

/** Animals that are asked for, one by one, to find one that is still there. */
const mostAsked = 5;

/**
 * Whether the store holds an animal that a listing does not show, though one before it did. Other clients may have
 * removed what they added, or changed its status, so that is asked for by its identifier; what the run created is taken
 * to be as it was.
 * @param before identifiers that were shown before the listing was asked for, and that belong in it
 * @param status the filter of the listing
 */
export async function missesPets(
  { api, store, retryUntil, exchanges }: Probe,
  listing: ApiResponse,
  before: readonly string[],
  status?: string,
): Promise<boolean> {
  const shown = new Set((animalsOf(listing.json) ?? []).map(({ id }) => id));
  const missing = before.filter((id) => !shown.has(id));
  if (missing.some((id) => store.knownPets.created.has(id))) return true;
  const asked = await Promise.all(
    missing.slice(0, mostAsked).map((id) =>
      retryUntil(
        () => api.getPet(id),
        (response) => response.status !== 404,
      ),
    ),
  );
  const there = asked.filter((response) => response.status === 200);
  if (there.some(({ json }) => status === undefined || animalOf(json)?.shown.status === status)) return true;
  if (there.length > 0) return false;
  // Where getPet finds nothing at all, it can't tell what is there.
  if (exchanges.some(({ operation, response }) => operation === 'getPet' && response?.status === 200))
    return false;
  const [present] = shown;
  return present !== undefined && (await api.getPet(present)).status !== 200;
}
