import type { Animal } from '../operations/animal.js';
import type { ServiceResponse } from '../http-message.js';
import { withBehaviour } from '../changes.js';
import { settled } from './listing-variants.js';
import type { Variant } from './variant.js';

/** Milliseconds for which a response is cached. */
const cachedFor = 1_000;
/** Milliseconds after which a replica of the store holds a new animal. */
const lag = 300;

/** Services whose parts see a new animal at different times. */
export const consistencyVariants: readonly Variant[] = [
  {
    name: 'listings-cached',
    title: `The response to a listing is cached for ${cachedFor} ms`,
    options: withBehaviour(({ listPets }) => {
      const kept = new Map<string, { readonly at: number; readonly response: ServiceResponse }>();
      return {
        async listPets(request, service) {
          const question = request.query.toString();
          const known = kept.get(question);
          if (known && request.at - known.at < cachedFor) return known.response;
          const response = await listPets(request, service);
          kept.set(question, { at: request.at, response });
          return response;
        },
      };
    }),
  },
  {
    name: 'filter-lags',
    title: `A new animal is listed at once, and under its status ${lag} ms later`,
    options: withBehaviour(({ order }) => ({
      order(store, request): Iterable<Animal> {
        const animals = order(store, request);
        return request.query.has('status') ? settled(animals, request.at - lag) : animals;
      },
    })),
  },
  {
    name: 'replica-almost-too-late',
    title: 'Every fifth listing comes from a replica of the store that is 1800 ms late',
    plan: 'free',
    options: withBehaviour(({ order }) => {
      let listings = 0;
      return {
        order(store, request): Iterable<Animal> {
          listings += 1;
          const animals = order(store, request);
          return listings % 5 === 0 ? settled(animals, request.at - 1_800) : animals;
        },
      };
    }),
  },
  {
    name: 'getPet-lags',
    title: `getPet finds a new animal ${lag} ms after its creation`,
    options: withBehaviour(({ getPet, find }) => {
      let now = 0;
      return {
        getPet(request, service) {
          now = request.at;
          return getPet(request, service);
        },
        find(...parts) {
          const animal = find(...parts);
          return animal && animal.createdAt <= now - lag ? animal : undefined;
        },
      };
    }),
  },
];
