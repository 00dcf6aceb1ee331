import { isCreation, type Exchange } from '../evidence/exchange.js';
import { kinds, type Kind, type Probe } from '../verdict/requirement.js';
import { Inconclusive, NotTested } from '../verdict/outcome.js';

function shows(kind: Kind, exchange: Exchange): boolean {
  const { operation, response } = exchange;
  switch (kind) {
    case 'listing':
      return operation === 'listPets' && (exchange.animals ?? []).length > 0;
    case 'creation':
      return isCreation(exchange);
    case 'animal':
      return operation === 'getPet' && response?.status === 200;
    case '400':
    case '401':
    case '404':
      return response?.status === Number(kind);
  }
}

/**
 * Sends one request for each kind of response that the run has not received yet, so that an invariant that was selected
 * alone (`--only=ERR-02`) has something to be judged on. A full run has received them all and sends nothing.
 */
export async function requestMissingKinds(
  { store, exchanges, retryUntil }: Probe,
  needed: ReadonlySet<Kind>,
): Promise<void> {
  const api = store.api('missing kinds');
  const requests: Record<Kind, () => Promise<unknown>> = {
    creation: async () => store.accepted(),
    listing: async () => {
      // An empty store lists nothing that could be judged.
      await store.accepted().catch(unlessUnavailable);
      await retryUntil(
        () => api.listPets(),
        ({ animals = [], length }) => length === undefined || animals.length > 0,
      );
    },
    animal: async () => api.getPet((await store.animal()).id),
    '400': async () => {
      const { categoryId, status } = (await store.accepted()).body;
      await api.createPet({ categoryId, status });
    },
    '401': async () => api.listPets([], { as: api.credentials.missing }),
    '404': async () => api.getPet(9223372036854775807n),
  };
  // A creation comes first: what is listed has been created.
  for (const kind of ['creation', ...kinds] as const) {
    if (!needed.has(kind) || exchanges.some((exchange) => shows(kind, exchange))) continue;
    await requests[kind]().catch(unlessUnavailable);
  }
}

/** In a read-only run, or if the target accepts no body, the other kinds can still be requested. */
function unlessUnavailable(error: unknown): void {
  if (!(error instanceof NotTested || error instanceof Inconclusive)) throw error;
}
