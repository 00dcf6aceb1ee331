import { isPetStatus, petStatuses, type Animal, type NewPet } from '../operations/animal.js';
import { withBehaviour } from '../changes.js';
import { canonicalInteger } from '../operations/integers.js';
import type { Variant } from './variant.js';

/** Animals of all states and of a few categories, as a store might hold them before the suite comes. */
export function manyAnimals(size: number): NewPet[] {
  return Array.from({ length: size }, (_animal, place) => ({
    name: `Resident ${place}`,
    categoryId: BigInt((place % 7) + 1),
    status: petStatuses[place % petStatuses.length] ?? 'available',
  }));
}

/** How long a new animal stays out of listings, in milliseconds. */
const lagMs = 300;

export const listingVariants: readonly Variant[] = [
  {
    name: 'limit-clamped',
    title: 'A limit out of range is clamped',
    options: withBehaviour(({ readLimit }) => ({
      readLimit(values) {
        const limit = canonicalInteger(values[0] ?? '');
        if (limit === undefined) return readLimit(values);
        return limit < 1n ? 1 : Math.min(100, Number(limit));
      },
    })),
  },
  {
    name: 'limit-out-of-range-ignored',
    title: 'A limit that is out of range, or not an integer, is ignored',
    options: withBehaviour(({ readLimit }) => ({
      readLimit(values) {
        const limit = canonicalInteger(values[0] ?? '') ?? 0n;
        return limit >= 1n && limit <= 100n ? Number(limit) : readLimit([]);
      },
    })),
  },
  {
    name: 'limit-refused-with-422',
    title: 'A limit out of range is refused with 422',
    options: withBehaviour(({ refuse }) => ({
      refuse(refusal, request, service) {
        const response = refuse(refusal, request, service);
        if (refusal.detail !== 'limit') return response;
        return {
          ...response,
          status: 422,
          content: { code: 'unprocessable', message: refusal.message, status: 422 },
        };
      },
    })),
  },
  {
    name: 'last-limit-holds',
    title: 'If a parameter is given twice, the last value counts',
    options: withBehaviour(({ readLimit, readStatusFilter }) => ({
      readLimit: (values) => readLimit(values.slice(-1)),
      readStatusFilter: (values) => readStatusFilter(values.slice(-1)),
    })),
  },
  {
    name: 'unknown-status-ignored',
    title: 'A status filter outside the enumeration is ignored',
    options: withBehaviour(({ readStatusFilter }) => ({
      readStatusFilter: (values) => (isPetStatus(values[0]) ? readStatusFilter(values) : undefined),
    })),
  },
  {
    name: 'status-filter-in-any-case',
    title: 'The status filter is read without regard to case',
    options: withBehaviour(({ readStatusFilter }) => ({
      readStatusFilter: (values) => readStatusFilter(values.map((value) => value.toLowerCase())),
    })),
  },
  {
    name: 'unknown-status-matches-nothing',
    title: 'A status filter outside the enumeration gives an empty list',
    options: withBehaviour(({ listPets }) => ({
      listPets(request, service) {
        const status = request.query.get('status');
        if (status === null || isPetStatus(status)) return listPets(request, service);
        return { status: 200, headers: [], content: [] };
      },
    })),
  },
  {
    name: 'oldest-first',
    title: 'The oldest animals are listed first',
    options: withBehaviour(() => ({ order: (store) => store.oldestFirst() })),
  },
  {
    name: 'in-random-order',
    title: 'Every listing has another order',
    options: withBehaviour(({ order }) => ({
      order: (store, request) => shuffled([...order(store, request)]),
    })),
  },
  {
    name: 'listing-lags',
    title: `A new animal is listed ${lagMs} ms after its creation`,
    options: withBehaviour(({ order }) => ({
      order: (store, request) => settled(order(store, request), request.at - lagMs),
    })),
  },
  {
    name: 'paging-announced',
    title: 'A listing names the next page in Link, and the number of animals in X-Total-Count',
    options: withBehaviour(({ listPets }) => ({
      async listPets(request, service) {
        const response = await listPets(request, service);
        const total = String(service.store.size);
        const next = `<${service.basePath}/pets?cursor=2>; rel="next"`;
        return { ...response, headers: [...response.headers, ['Link', next], ['X-Total-Count', total]] };
      },
    })),
  },
];

/** The animals in a random order. */
function shuffled(animals: Animal[]): Animal[] {
  return animals
    .map((animal) => ({ animal, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ animal }) => animal);
}

/** The animals that existed at a moment, in epoch milliseconds. */
export function* settled(animals: Iterable<Animal>, until: number): Generator<Animal> {
  for (const animal of animals) if (animal.createdAt <= until) yield animal;
}
