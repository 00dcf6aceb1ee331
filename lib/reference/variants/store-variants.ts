import type { Animal, NewPet } from '../operations/animal.js';
import type { AnimalStore } from '../operations/store.js';
import { withBehaviour } from '../changes.js';
import { manyAnimals, shuffled } from './listing-variants.js';
import type { Variant } from './variant.js';

const oldestFirst: Variant['options'] = withBehaviour(() => ({ order: (store) => store.oldestFirst() }));

/** A change of the store before each listing, made by other clients. */
function meanwhile(happens: (store: AnimalStore, listings: number) => void): Variant['options'] {
  return withBehaviour(({ listPets }) => {
    let listings = 0;
    return {
      listPets(request, service) {
        listings += 1;
        happens(service.store, listings);
        return listPets(request, service);
      },
    };
  });
}

/** An animal of another client. */
function animalOfOthers(place: number, store: AnimalStore): Animal {
  const [animal] = manyAnimals(1) as [NewPet];
  const id = 5_000_000n + BigInt(place);
  return {
    ...animal,
    name: `Passer-by ${place}`,
    id,
    createdAt: [...store.oldestFirst()].at(-1)?.createdAt ?? 0,
  };
}

/** Stores that hold animals before the run, and stores that other clients use during it. */
export const storeVariants: readonly Variant[] = [
  ...[1, 20, 21, 60, 100, 101].map((size): Variant => ({
    name: `store-of-${size}`,
    title: `The store holds ${size} animals from the start`,
    options: { animals: manyAnimals(size) },
  })),
  ...[20, 60, 100].map((size): Variant => ({
    name: `store-of-${size}-oldest-first`,
    title: `The store holds ${size} animals from the start, and lists the oldest first`,
    options: { animals: manyAnimals(size), ...oldestFirst },
  })),
  {
    name: 'store-of-60-in-random-order',
    title: 'The store holds 60 animals from the start, and every listing has another order',
    options: {
      animals: manyAnimals(60),
      ...withBehaviour(({ order }) => ({ order: (store, request) => shuffled([...order(store, request)]) })),
    },
  },
  {
    name: 'others-add-animals',
    title: 'Other clients add an animal before every other listing',
    options: {
      animals: manyAnimals(7),
      ...meanwhile((store, listings) => {
        if (listings % 2 === 0) store.add(animalOfOthers(listings, store));
      }),
    },
  },
  {
    name: 'others-create-animals',
    title: 'Another client creates an animal before each creation',
    options: withBehaviour(({ createPet, assignId }) => ({
      async createPet(request, service) {
        const [animal] = manyAnimals(1) as [NewPet];
        service.store.add({ ...animal, id: await assignId(service, {}), createdAt: request.at });
        return createPet(request, service);
      },
    })),
  },
  {
    name: 'others-sell-animals',
    title: 'An animal of another client is sold before every listing',
    options: {
      animals: manyAnimals(90),
      ...meanwhile((store) => {
        const next = [...store.oldestFirst()].find(
          ({ name, status }) => name.startsWith('Resident') && status !== 'sold',
        );
        if (next) store.replace({ ...next, status: 'sold' });
      }),
    },
  },
  {
    name: 'others-remove-animals',
    title: 'Another client removes an animal before every listing, and adds one before every other',
    options: {
      animals: manyAnimals(90),
      ...meanwhile((store, listings) => {
        const next = [...store.oldestFirst()].find(({ name }) => /^(Resident|Passer-by)/.test(name));
        if (next) store.remove(next.id);
        if (listings % 2 === 0) store.add(animalOfOthers(listings, store));
      }),
    },
  },
];
