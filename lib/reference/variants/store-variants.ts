import type { Animal, NewPet } from '../operations/animal.js';
import type { AnimalStore } from '../operations/store.js';
import { withBehaviour } from '../changes.js';
import { manyAnimals } from './listing-variants.js';
import type { Variant } from './variant.js';

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
  ...[100, 500].map((size): Variant => ({
    name: `store-of-${size}`,
    title: `The store holds ${size} animals from the start`,
    options: { animals: manyAnimals(size) },
  })),
  {
    name: 'store-of-500-oldest-first',
    title: 'The store holds 500 animals from the start, and lists the oldest first',
    // Whatever the run creates is on a page that it cannot request.
    leavesOpen: ['AUTH-06', 'LIST-08', 'LIST-10', 'LIST-14', 'CREATE-11'],
    options: {
      animals: manyAnimals(500),
      ...withBehaviour(() => ({ order: (store) => store.oldestFirst() })),
    },
  },
  {
    name: 'store-of-one-state',
    title: 'The store holds 30 animals from the start, all of them sold',
    options: { animals: manyAnimals(30).map((animal) => ({ ...animal, status: 'sold' })) },
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
