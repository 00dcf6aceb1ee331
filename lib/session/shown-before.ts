import type { RepeatedRequest } from '../record/repeated-request.js';
import type { Probe } from '../requirement/requirement.js';
import { petStatuses, type PetStatus } from '../specification/body-schema.js';
import type { RequirementId } from '../specification/catalogue.js';
import { defaultPage } from './store.js';
import { parseJson } from '../specification/json-value.js';

/** A listing that a finding of the repeated run shows. */
export interface ShownListing {
  readonly limit: number | undefined;
  readonly status: PetStatus | undefined;
  /** It showed more animals than its limit. */
  readonly isTooLong: boolean;
}

/**
 * The listings that findings of the repeated run show, those of this requirement, of others or of any; undefined if the
 * run repeats none, or if no finding shows a listing.
 */
export function listingsShownBefore(
  { again, judgement }: Probe,
  ids: readonly RequirementId[] | 'any' = [judgement.id],
): readonly ShownListing[] | undefined {
  const listings = again
    ?.filter(({ of, operation, input }) => {
      const isWanted = ids === 'any' || ids.some((id) => of.includes(id));
      return operation === 'listPets' && input === 'specified' && isWanted;
    })
    .map(({ path, length = 0 }): ShownListing => {
      const query = new URLSearchParams(path.split('?')[1]);
      const limit = query.get('limit');
      return {
        isTooLong: length > Number(limit ?? defaultPage),
        limit: limit === null ? undefined : Number(limit),
        status: petStatuses.find((status) => status === query.get('status')),
      };
    });
  if (listings === undefined || listings.length === 0) return undefined;
  return [...new Map(listings.map((one) => [JSON.stringify(one), one])).values()];
}

/** The bodies of creations that the findings of this requirement showed in the repeated run; undefined if there are none. */
export function bodiesShownBefore({
  again,
  judgement,
}: Probe): ReadonlyArray<Readonly<Record<string, unknown>>> | undefined {
  const bodies = again?.filter(isCreationOf(judgement.id)).flatMap(({ body = '' }) => {
    const parsed = parseJson(body);
    return parsed.ok && typeof parsed.value === 'object' && parsed.value !== null
      ? [{ ...parsed.value }]
      : [];
  });
  return bodies?.length === 0 ? undefined : bodies;
}

function isCreationOf(id: string): (request: RepeatedRequest) => boolean {
  return ({ of, operation }) => operation === 'createPet' && of.includes(id);
}
