import { isCreation, type Exchange } from '../evidence/exchange.js';
import { ifPossible } from '../session/if-possible.js';
import { kinds, type Kind, type Probe } from '../verdict/requirement.js';

/** Whether an exchange has a response of a kind, and what is requested if none has. */
interface Wanted {
  readonly isOf: (exchange: Exchange) => boolean;
  readonly request: () => Promise<unknown>;
}

const ofStatus =
  (wanted: number) =>
  ({ status }: Exchange): boolean =>
    status === wanted;

function wantedOf({ store, retryUntil }: Probe): Record<Kind, Wanted> {
  const api = store.api('missing kinds');
  return {
    creation: { isOf: isCreation, request: () => store.accepted() },
    listing: {
      isOf: ({ operation, animals = [] }) => operation === 'listPets' && animals.length > 0,
      async request() {
        // An empty store lists nothing that could be judged.
        await ifPossible(store.accepted());
        await retryUntil(
          () => api.listPets(),
          ({ animals = [], length }) => length === undefined || animals.length > 0,
        );
      },
    },
    animal: {
      isOf: ({ operation, status }) => operation === 'getPet' && status === 200,
      request: async () => api.getPet((await store.animal()).id),
    },
    '400': {
      isOf: ofStatus(400),
      async request() {
        const { categoryId, status } = (await store.accepted()).body;
        await api.createPet({ categoryId, status });
      },
    },
    '401': { isOf: ofStatus(401), request: () => api.listPets({}, { as: api.credentials.missing }) },
    '404': { isOf: ofStatus(404), request: () => api.getPet(9223372036854775807n) },
  };
}

/**
 * Sends one request for each kind of response that the run has not received yet, so that an invariant that was selected
 * alone (`--only=ERR-02`) has something to be judged on. A full run has received them all and sends nothing.
 */
export async function requestMissingKinds(probe: Probe, needed: ReadonlySet<Kind>): Promise<void> {
  const wanted = wantedOf(probe);
  // A creation comes first: what is listed has been created.
  for (const kind of ['creation', ...kinds] as const) {
    const { isOf, request } = wanted[kind];
    if (needed.has(kind) && !probe.exchanges.some(isOf)) await ifPossible(request());
  }
}
