import type { Animal } from '../operations/animal.js';
import type { ServiceResponse } from '../http-message.js';
import { withBehaviour } from '../changes.js';
import { settled } from './listing-variants.js';
import type { Variant } from './variant.js';

/** Milliseconds for which an answer is kept. */
const cachedFor = 1_000;
/** Milliseconds after which another copy of the store knows of an animal. */
const lag = 300;

/** Services whose parts learn of a new animal one after the other. */
export const consistencyVariants: readonly Variant[] = [
  {
    name: 'listings-cached',
    title: `The answer to a listing is kept for ${cachedFor} ms and given again to the same question`,
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
    title: `A new animal is found by its status ${lag} ms after its creation, and listed at once`,
    options: withBehaviour(({ order }) => ({
      order(store, request): Iterable<Animal> {
        const animals = order(store, request);
        return request.query.has('status') ? settled(animals, request.at - lag) : animals;
      },
    })),
  },
  {
    name: 'copies-in-turn',
    title: `Every other listing is answered by a copy of the store that learns of an animal ${lag} ms later`,
    options: withBehaviour(({ order }) => {
      let listings = 0;
      return {
        order(store, request): Iterable<Animal> {
          listings += 1;
          const animals = order(store, request);
          return listings % 2 === 0 ? settled(animals, request.at - lag) : animals;
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
