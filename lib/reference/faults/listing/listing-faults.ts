import type { Behaviour } from '../../behaviour.js';
import { takePage } from '../../operations/parameters.js';
import { withBehaviour, withAnimals, withResponses } from '../../changes.js';
import { throughDouble } from '../../operations/integers.js';
import type { Fault } from '../fault.js';
import { create, created, createMany, field, listed, send, expectOnWire } from '../wire.js';

/** Changes which animals a page holds. */
function paged(change: Behaviour['page']): Fault['options'] {
  return withBehaviour(() => ({ page: change }));
}

/** Which animals a listing shows, and how: LIST-01, LIST-06 to LIST-10. */
export const listingFaults: readonly Fault[] = [
  {
    name: 'listing-in-an-envelope',
    title: 'The listing is wrapped in an object',
    breaks: ['LIST-01'],
    options: withBehaviour(({ listPets }) => ({
      async listPets(request, service) {
        const response = await listPets(request, service);
        return { ...response, content: { data: response.content } };
      },
    })),
    async wire(target) {
      const { json } = await send(target);
      expectOnWire(Array.isArray(field(json(), 'data')), 'the listing is in an envelope');
    },
  },
  {
    name: 'listing-as-partial-content',
    title: 'A page gets 206, as if it were a range of bytes',
    breaks: ['LIST-01', 'ROBUST-01'],
    options: withResponses((response, request) =>
      request.operation === 'listPets' && response.status === 200 ? { ...response, status: 206 } : response,
    ),
    async wire(target) {
      expectOnWire((await send(target)).status === 206, 'a listing with 206');
    },
  },
  {
    name: 'filter-ignored',
    title: 'The status filter has no effect',
    breaks: ['LIST-06', 'LIST-07'],
    options: paged((all, { limit }) => takePage(all, { limit, status: undefined })),
    async wire(target) {
      await create(target);
      expectOnWire(
        (await listed(target, '?status=sold')).length === 1,
        'status=sold gives what is available',
      );
    },
  },
  {
    name: 'sold-shows-pending',
    title: 'The filter for sold animals lets pending ones through',
    breaks: ['LIST-06', 'LIST-07'],
    options: paged((all, { limit, status }) => {
      if (status !== 'sold') return takePage(all, { limit, status });
      const kept = [...all].filter((animal) => animal.status !== 'available');
      return kept.slice(0, limit);
    }),
    async wire(target) {
      await create(target, { status: 'pending' });
      expectOnWire((await listed(target, '?status=sold')).length === 1, 'status=sold gives what is pending');
    },
  },
  {
    name: 'limit-ignored-beside-filter',
    title: 'A limit below the default has no effect if the status filter is given as well',
    breaks: ['LIST-07'],
    options: paged((all, { limit, status }) =>
      takePage(all, { limit: status === undefined || limit >= 20 ? limit : 100, status }),
    ),
    async wire(target) {
      await createMany(target, 3);
      expectOnWire((await listed(target, '?limit=1&status=available')).length === 3, 'limit=1 gives 3');
    },
  },
  {
    name: 'filter-ignored-beside-small-limit',
    title: 'The status filter has no effect beside a limit below the default',
    breaks: ['LIST-07'],
    options: paged((all, { limit, status }) =>
      takePage(all, { limit, status: limit < 20 ? undefined : status }),
    ),
    async wire(target) {
      await create(target);
      expectOnWire(
        (await listed(target, '?limit=5&status=sold')).length === 1,
        'status=sold gives what is available',
      );
    },
  },
  {
    name: 'created-not-listed',
    title: 'Created animals can be fetched, but no listing shows them',
    breaks: ['LIST-08'],
    options: paged(() => []),
    async wire(target) {
      const { id } = await create(target);
      const { status } = await send(target, { path: `/pets/${id}` });
      expectOnWire(
        status === 200 && (await listed(target)).length === 0,
        'an animal is there and not listed',
      );
    },
  },
  {
    name: 'pending-not-listed-under-pending',
    title: 'The filter for pending animals finds none',
    breaks: ['LIST-08'],
    options: paged((all, query) => (query.status === 'pending' ? [] : takePage(all, query))),
    async wire(target) {
      await create(target, { status: 'pending' });
      expectOnWire(
        (await listed(target, '?status=pending')).length === 0,
        'a pending animal is not found by its status',
      );
    },
  },
  {
    name: 'animal-listed-twice',
    title: 'The first animal of a page is listed twice',
    breaks: ['LIST-09'],
    options: paged((all, query) => {
      const [first, ...others] = takePage(all, query);
      return first ? [first, first, ...others].slice(0, query.limit) : [];
    }),
    async wire(target) {
      const { id } = await create(target);
      const { text } = await send(target);
      expectOnWire(text.split(`"id":${id},`).length === 3, 'an animal is listed twice');
    },
  },
  {
    name: 'listing-rounds-categories',
    title: 'The listing writes categories as doubles',
    breaks: ['CREATE-12', 'LIST-10'],
    options: withAnimals(['listed'], (animal) => ({
      ...animal,
      categoryId: throughDouble(BigInt(String(animal.categoryId))),
    })),
    async wire(target) {
      await created(target, '{"name":"Rex","categoryId":9007199254740993}');
      expectOnWire(
        (await send(target)).text.includes('9007199254740992'),
        'a category is rounded in the listing',
      );
    },
  },
  {
    name: 'listing-escapes-names',
    title: 'The listing escapes names for HTML',
    breaks: ['CREATE-13', 'LIST-10'],
    options: withAnimals(['listed'], (animal) => ({ ...animal, name: escaped(String(animal.name)) })),
    async wire(target) {
      await create(target, { name: 'Salt & "Pepper"' });
      expectOnWire((await send(target)).text.includes('&amp;'), 'a name is escaped in the listing');
    },
  },
  {
    name: 'listing-shows-the-state-of-its-neighbour',
    title: 'The listing shows sold animals as pending, from a stale index',
    breaks: ['CREATE-03', 'LIST-06', 'LIST-07', 'LIST-10'],
    options: withAnimals(['listed'], (animal) =>
      animal.status === 'sold' ? { ...animal, status: 'pending' } : animal,
    ),
    async wire(target) {
      await create(target, { status: 'sold' });
      expectOnWire(
        field((await listed(target))[0], 'status') === 'pending',
        'a sold animal is listed as pending',
      );
    },
  },
];

function escaped(name: string): string {
  return name
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
