import type { Animal } from '../animal.js';
import type { Answer } from '../answer.js';
import { altered } from '../changes.js';
import { settled } from './listing.js';
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
    options: altered(({ listPets }) => {
      const kept = new Map<string, { readonly at: number; readonly answer: Answer }>();
      return {
        async listPets(asked, service) {
          const question = asked.query.toString();
          const known = kept.get(question);
          if (known && asked.at - known.at < cachedFor) return known.answer;
          const answer = await listPets(asked, service);
          kept.set(question, { at: asked.at, answer });
          return answer;
        },
      };
    }),
  },
  {
    name: 'filter-lags',
    title: `A new animal is found by its status ${lag} ms after its creation, and listed at once`,
    options: altered(({ order }) => ({
      order(store, asked): Iterable<Animal> {
        const animals = order(store, asked);
        return asked.query.has('status') ? settled(animals, asked.at - lag) : animals;
      },
    })),
  },
  {
    name: 'copies-in-turn',
    title: `Every other listing is answered by a copy of the store that learns of an animal ${lag} ms later`,
    options: altered(({ order }) => {
      let listings = 0;
      return {
        order(store, asked): Iterable<Animal> {
          listings += 1;
          const animals = order(store, asked);
          return listings % 2 === 0 ? settled(animals, asked.at - lag) : animals;
        },
      };
    }),
  },
  {
    name: 'getPet-lags',
    title: `getPet finds a new animal ${lag} ms after its creation`,
    options: altered(({ getPet, find }) => {
      let now = 0;
      return {
        getPet(asked, service) {
          now = asked.at;
          return getPet(asked, service);
        },
        find(...parts) {
          const animal = find(...parts);
          return animal && animal.createdAt <= now - lag ? animal : undefined;
        },
      };
    }),
  },
];
