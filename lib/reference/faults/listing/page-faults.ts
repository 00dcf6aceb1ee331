import type { Behaviour } from '../../behaviour.js';
import { canonicalInteger } from '../../operations/integers.js';
import { takePage } from '../../operations/parameters.js';
import { Refusal } from '../../operations/refused-request.js';
import { withBehaviour } from '../../changes.js';
import type { Fault } from '../fault.js';
import { create, createMany, listed, send, expectOnWire } from '../wire.js';

/** Changes which animals a page holds. */
function paged(change: Behaviour['page']): Fault['options'] {
  return withBehaviour(() => ({ page: change }));
}

/** Reads a missing limit as this one. */
function defaulting(limit: number): Fault['options'] {
  return withBehaviour(({ readLimit }) => ({
    readLimit: (values) => (values.length === 0 ? limit : readLimit(values)),
  }));
}

/** Honours limits above 100, up to a greatest one. */
function atMost(greatest: number): Fault['options'] {
  return withBehaviour(({ readLimit }) => ({
    readLimit(values) {
      const limit = canonicalInteger(values[0] ?? '');
      return limit !== undefined && limit > 100n ? Math.min(Number(limit), greatest) : readLimit(values);
    },
  }));
}

/** How many animals a page holds: LIST-02 to LIST-05. */
export const pageSizeFaults: readonly Fault[] = [
  {
    name: 'limit-ignored',
    title: 'A page always holds 20 animals',
    breaks: ['LIST-02', 'LIST-04', 'LIST-07'],
    options: paged((all, { status }) => takePage(all, { limit: 20, status })),
    async wire(target) {
      await createMany(target, 3);
      expectOnWire((await listed(target, '?limit=1')).length === 3, 'limit=1 gives 3');
    },
  },
  {
    name: 'one-more-than-limit',
    title: 'A page holds one animal more than the limit',
    breaks: ['LIST-02', 'LIST-03', 'LIST-07'],
    options: paged((all, { limit, status }) => takePage(all, { limit: limit + 1, status })),
    async wire(target) {
      await createMany(target, 3);
      expectOnWire((await listed(target, '?limit=1')).length === 2, 'limit=1 gives 2');
    },
  },
  {
    name: 'limit-1-refused',
    title: 'limit=1 is refused, as a comparison excludes its bound',
    breaks: ['LIST-02', 'ROBUST-01'],
    options: withBehaviour(({ readLimit }) => ({
      readLimit(values) {
        const limit = readLimit(values);
        if (limit === 1) throw new Refusal('invalid-parameter', 'The limit is too small.');
        return limit;
      },
    })),
    async wire(target) {
      expectOnWire((await send(target, { path: '/pets?limit=1' })).status === 400, 'limit=1 is refused');
    },
  },
  {
    name: 'limit-100-refused',
    title: 'limit=100 is refused, as a comparison excludes its bound',
    breaks: ['LIST-02', 'ROBUST-01'],
    options: withBehaviour(({ readLimit }) => ({
      readLimit(values) {
        const limit = readLimit(values);
        if (limit === 100) throw new Refusal('invalid-parameter', 'The limit is too great.');
        return limit;
      },
    })),
    async wire(target) {
      expectOnWire((await send(target, { path: '/pets?limit=100' })).status === 400, 'limit=100 is refused');
    },
  },
  {
    name: 'default-10',
    title: 'Without limit a page holds 10 animals',
    breaks: ['LIST-03'],
    options: defaulting(10),
    async wire(target) {
      await createMany(target, 21);
      expectOnWire((await listed(target)).length === 10, '10 animals by default');
    },
  },
  {
    name: 'default-25',
    title: 'Without limit a page holds 25 animals',
    breaks: ['LIST-03'],
    options: defaulting(25),
    async wire(target) {
      await createMany(target, 21);
      expectOnWire((await listed(target)).length === 21, 'more than 20 animals by default');
    },
  },
  {
    name: 'default-everything',
    title: 'Without limit the whole store is listed',
    breaks: ['LIST-03'],
    options: defaulting(Number.MAX_SAFE_INTEGER),
    async wire(target) {
      await createMany(target, 21);
      expectOnWire((await listed(target)).length === 21, 'the whole store by default');
    },
  },
  {
    name: 'one-fewer-than-limit',
    title: 'A page holds one animal fewer than a given limit',
    breaks: ['LIST-03', 'LIST-04'],
    options: withBehaviour(({ readLimit }) => ({
      readLimit: (values) => (values.length === 0 ? readLimit(values) : readLimit(values) - 1),
    })),
    async wire(target) {
      await createMany(target, 3);
      expectOnWire((await listed(target, '?limit=2')).length === 1, 'limit=2 gives 1');
    },
  },
  {
    name: 'limit-1-gives-none',
    title: 'A page of one animal is empty, as a comparison excludes its bound',
    breaks: ['LIST-04'],
    options: paged((all, { limit, status }) => (limit === 1 ? [] : takePage(all, { limit, status }))),
    async wire(target) {
      await createMany(target, 2);
      expectOnWire((await listed(target, '?limit=1')).length === 0, 'limit=1 gives 0');
    },
  },
  {
    name: 'pages-clamped-to-50',
    title: 'A page never holds more than 50 animals',
    breaks: ['LIST-04'],
    options: paged((all, { limit, status }) => takePage(all, { limit: Math.min(limit, 50), status })),
    async wire(target) {
      await createMany(target, 52);
      expectOnWire((await listed(target, '?limit=100')).length === 50, 'limit=100 gives 50');
    },
  },
  {
    name: 'filter-after-paging',
    title: 'The status filter is applied to a page that was cut before, which leaves pages short',
    breaks: ['LIST-04', 'LIST-08'],
    options: paged((all, { limit, status }) => {
      const page = takePage(all, { limit, status: undefined });
      return page.filter((animal) => status === undefined || animal.status === status);
    }),
    async wire(target) {
      await create(target, { status: 'sold' });
      await createMany(target, 2);
      expectOnWire(
        (await listed(target, '?limit=1&status=sold')).length === 0,
        'an empty page though one is sold',
      );
    },
  },
  {
    name: 'limit-up-to-1000',
    title: 'Limits up to 1000 are honoured',
    breaks: ['LIST-05'],
    options: atMost(1_000),
    async wire(target) {
      await createMany(target, 101);
      expectOnWire((await listed(target, '?limit=101')).length === 101, 'limit=101 gives 101');
    },
  },
  {
    name: 'limit-unbounded',
    title: 'A limit above 1000 is treated as no limit; others above 100 are refused',
    breaks: ['LIST-05'],
    options: withBehaviour(({ readLimit }) => ({
      readLimit: (values) => (Number(values[0]) > 1_000 ? Number.MAX_SAFE_INTEGER : readLimit(values)),
    })),
    async wire(target) {
      await createMany(target, 101);
      expectOnWire((await listed(target, '?limit=2147483648')).length === 101, 'limit=2147483648 gives 101');
    },
  },
  {
    name: 'unbounded-beside-filter',
    title: 'Limits above 100 are honoured if the status filter is given',
    breaks: ['LIST-05'],
    options: unlimitedBesideFilter((limit) => (limit > 100 ? limit : undefined)),
    async wire(target) {
      await createMany(target, 101);
      expectOnWire(
        (await listed(target, '?limit=150&status=available')).length === 101,
        'limit=150 gives 101',
      );
    },
  },
  {
    name: 'limit-0-beside-filter-is-unlimited',
    title: 'A limit of 0 is treated as no limit if the status filter is given',
    breaks: ['LIST-05'],
    options: unlimitedBesideFilter((limit) => (limit === 0 ? Number.POSITIVE_INFINITY : undefined)),
    async wire(target) {
      await createMany(target, 101);
      expectOnWire((await listed(target, '?limit=0&status=available')).length === 101, 'limit=0 gives 101');
    },
  },
  {
    name: 'all-but-the-last-two-with-a-negative-limit',
    title: 'A negative limit cuts off as many animals at the end, and one more',
    breaks: ['LIST-05'],
    options: withBehaviour(({ listPets }) => ({
      listPets(request, service) {
        const limit = Number(request.query.get('limit') ?? 20);
        if (!(limit < 0)) return listPets(request, service);
        const animals = [...service.behaviour.order(service.store, request)].slice(0, limit - 1);
        const content = animals.map((animal) => service.behaviour.show(animal, 'listed'));
        return { status: 200, headers: [], content };
      },
    })),
    async wire(target) {
      await createMany(target, 103);
      expectOnWire((await listed(target, '?limit=-1')).length === 101, 'limit=-1 gives 101 of 103');
    },
  },
  {
    name: 'limit-100-beside-filter-gives-101',
    title: 'The greatest page holds one animal too many if the status filter is given',
    breaks: ['LIST-07'],
    options: paged((all, { limit, status }) =>
      takePage(all, { limit: status !== undefined && limit === 100 ? 101 : limit, status }),
    ),
    async wire(target) {
      await createMany(target, 101);
      expectOnWire((await listed(target, '?limit=100&status=available')).length === 101, '101 animals');
    },
  },
];

/** Reads some limits in another way if the status filter is given. */
function unlimitedBesideFilter(read: (limit: number) => number | undefined): Fault['options'] {
  return withBehaviour(({ listPets }) => ({
    listPets(request, service) {
      const { behaviour, store } = service;
      const limit = read(Number(request.query.get('limit') ?? 20));
      const status = behaviour.readStatusFilter(request.query.getAll('status'));
      if (limit === undefined || status === undefined) return listPets(request, service);
      const page = takePage(behaviour.order(store, request), { limit, status });
      return { status: 200, headers: [], content: page.map((animal) => behaviour.show(animal, 'listed')) };
    },
  }));
}
