import { jsonOf } from '../session/api-response.js';
import { animalsOf } from '../session/animal.js';
import { isCreation } from '../session/creation.js';
import type { Exchange } from '../http/exchange/exchange.js';
import type { Kind } from '../requirement/requirement.js';
import { Inconclusive, NotTested } from '../verdict/outcome.js';
import type { Session } from './session.js';

const shows: Record<Kind, (exchange: Exchange) => boolean> = {
  listing: (exchange) => {
    const json =
      exchange.operation === 'listPets' && exchange.response?.status === 200 ? jsonOf(exchange) : undefined;
    return json?.ok === true && (animalsOf(json.value)?.length ?? 0) > 0;
  },
  creation: isCreation,
  animal: ({ operation, response }) => operation === 'getPet' && response?.status === 200,
  '400': ({ response }) => response?.status === 400,
  '401': ({ response }) => response?.status === 401,
  '404': ({ response }) => response?.status === 404,
};

/**
 * Sends one request for each kind of answer that the run has not seen yet, so that an invariant that was selected alone
 * (`--only=ERR-02`) has something to be judged on. A full run has seen them all and sends nothing.
 */
export async function requestMissingKinds(session: Session, kinds: ReadonlySet<Kind>): Promise<void> {
  const { client, store } = session;
  const api = store.api('missing kinds');
  const requests: Record<Kind, () => Promise<unknown>> = {
    creation: async () => store.accepted(),
    listing: async () => {
      // An empty store lists nothing that could be judged.
      await store.accepted().catch(unlessUnavailable);
      await store.retryUntil(
        () => api.listPets(),
        (response) => response.status !== 200 || (animalsOf(response.json)?.length ?? 1) > 0,
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
  for (const kind of Object.keys(requests) as Kind[]) {
    if (!kinds.has(kind) || client.log.exchanges.some(shows[kind])) continue;
    await requests[kind]().catch(unlessUnavailable);
  }
}

/** A read-only run, or a target that takes no body: the other kinds are still to be had. */
function unlessUnavailable(error: unknown): void {
  if (!(error instanceof NotTested || error instanceof Inconclusive)) throw error;
}
