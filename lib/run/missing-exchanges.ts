import { isCreation, type Exchange } from '../evidence/exchange.js';
import type { OperationName } from '../evidence/recorded-exchange.js';
import type { Api } from '../session/api.js';
import { ifPossible } from '../session/if-possible.js';
import { kinds, type Kind, type Probe } from '../verdict/requirement.js';

const has =
  (wanted: number, name?: OperationName) =>
  ({ status, operation }: Exchange): boolean =>
    status === wanted && (name === undefined || operation === name);

/** How an exchange shows each kind of response, and what is requested if none does. */
const wanted: Readonly<
  Record<
    Kind,
    readonly [shows: (one: Exchange) => boolean, request: (probe: Probe, api: Api) => Promise<unknown>]
  >
> = {
  creation: [isCreation, ({ store }) => store.accepted()],
  listing: [
    ({ operation, animals = [] }) => operation === 'listPets' && animals.length > 0,
    async ({ store, retryUntil }, api) => {
      // An empty store lists nothing that could be judged.
      await ifPossible(store.accepted());
      await retryUntil(
        () => api.listPets(),
        ({ animals = [], length }) => length === undefined || animals.length > 0,
      );
    },
  ],
  animal: [has(200, 'getPet'), async ({ store }, api) => api.getPet((await store.animal()).id)],
  '400': [
    has(400),
    async ({ store }, api) => {
      const { categoryId, status } = (await store.accepted()).body;
      await api.createPet({ categoryId, status });
    },
  ],
  '401': [has(401), (_, api) => api.listPets({}, { as: api.credentials.missing })],
  '404': [has(404), (_, api) => api.getPet(9223372036854775807n)],
};

/**
 * Sends one request for each kind of response that the run has not received yet, so that an invariant that was selected
 * alone (`--only=ERR-02`) has something to be judged on. A full run has received them all and sends nothing.
 */
export async function requestMissingKinds(probe: Probe, needed: ReadonlySet<Kind>): Promise<void> {
  const api = probe.store.api('missing kinds');
  // A creation comes first: what is listed has been created.
  for (const kind of ['creation', ...kinds] as const) {
    const [shows, request] = wanted[kind];
    if (needed.has(kind) && !probe.exchanges.some(shows)) await ifPossible(request(probe, api));
  }
}
