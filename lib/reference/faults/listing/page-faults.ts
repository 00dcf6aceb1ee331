import type { Behaviour } from '../../behaviour.js';
import { withBehaviour } from '../../changes.js';
import { takePage } from '../../operations/parameters.js';
import type { Fault } from '../fault.js';

/** Changes which animals a page holds. */
function paged(change: Behaviour['page']): Fault['options'] {
  return withBehaviour(() => ({ page: change }));
}

/** Reads some values of the limit in another way: of others `read` returns undefined. */
function reading(read: (text: string | undefined) => number | undefined): Fault['options'] {
  return withBehaviour(({ readLimit }) => ({
    readLimit: (values) => read(values[0]) ?? readLimit(values),
  }));
}

/** Changes what listPets is asked for. */
function askedAs(change: (query: URLSearchParams) => void): Fault['options'] {
  return withBehaviour(({ listPets }) => ({
    listPets(request, service) {
      const query = new URLSearchParams(request.query);
      change(query);
      return listPets({ ...request, query }, service);
    },
  }));
}

/** The limit of a filtered listing that names none. */
function defaultBesideFilter(limit: string): Fault['options'] {
  return askedAs((query) => {
    if (query.has('status') && !query.has('limit')) query.set('limit', limit);
  });
}

/** What the parameters of a listing do: LIST-02 to LIST-07. */
export const pageFaults: readonly Fault[] = [
  {
    name: 'limit-ignored',
    title: 'A page always holds 20 animals',
    breaks: ['LIST-02', 'LIST-04', 'LIST-07'],
    options: paged((all, { status }) => takePage(all, { limit: 20, status })),
  },
  {
    name: 'one-more-than-limit',
    title: 'A page holds one animal more than the limit',
    breaks: ['LIST-02', 'LIST-03', 'LIST-07'],
    options: paged((all, { limit, status }) => takePage(all, { limit: limit + 1, status })),
  },
  {
    name: 'default-25',
    title: 'Without limit a page holds 25 animals',
    breaks: ['LIST-03'],
    options: reading((text) => (text === undefined ? 25 : undefined)),
  },
  {
    name: 'one-fewer-than-limit',
    title: 'A page holds one animal fewer than a given limit',
    breaks: ['LIST-03', 'LIST-04'],
    options: withBehaviour(({ readLimit }) => ({
      readLimit: (values) => (values.length === 0 ? readLimit(values) : readLimit(values) - 1),
    })),
  },
  {
    name: 'no-default-limit-beside-filter',
    title: 'The default limit is not applied if the status filter is given',
    breaks: ['LIST-03'],
    options: defaultBesideFilter('100'),
  },
  {
    name: 'default-10-beside-filter',
    title: 'If the status filter is given, the default limit is 10',
    breaks: ['LIST-03'],
    options: defaultBesideFilter('10'),
  },
  {
    name: 'limit-1-gives-none',
    title: 'A page of one animal is empty, as a comparison excludes its bound',
    breaks: ['LIST-04'],
    options: paged((all, { limit, status }) => (limit === 1 ? [] : takePage(all, { limit, status }))),
  },
  {
    name: 'pages-clamped-to-50',
    title: 'A page never holds more than 50 animals',
    breaks: ['LIST-04'],
    options: paged((all, { limit, status }) => takePage(all, { limit: Math.min(limit, 50), status })),
  },
  {
    name: 'filter-after-paging',
    title: 'The status filter is applied to a page that was cut before, which leaves pages short',
    breaks: ['LIST-04', 'LIST-08'],
    options: paged((all, { limit, status }) => {
      const page = takePage(all, { limit, status: undefined });
      return page.filter((animal) => status === undefined || animal.status === status);
    }),
  },
  {
    name: 'limit-up-to-1000',
    title: 'Limits up to 1000 are honoured',
    breaks: ['LIST-05'],
    options: reading((text) =>
      text !== undefined && /^[1-9]\d{2,}$/.test(text) ? Math.min(Number(text), 1_000) : undefined,
    ),
  },
  {
    name: 'limit-unbounded',
    title: 'A limit above 1000 is treated as no limit; others above 100 are refused',
    breaks: ['LIST-05'],
    options: reading((text) => (Number(text) > 1_000 ? Number.MAX_SAFE_INTEGER : undefined)),
  },
  {
    name: 'limit-in-words-is-unlimited',
    title: 'A limit that is not a number is treated as no limit',
    breaks: ['LIST-05'],
    options: reading((text) => (/^-?\d/.test(text ?? '20') ? undefined : Number.POSITIVE_INFINITY)),
  },
  {
    name: 'limit-0-beside-filter-is-unlimited',
    title: 'A limit of 0 is treated as no limit if the status filter is given',
    breaks: ['LIST-05'],
    options: withBehaviour(({ listPets }) => ({
      listPets(request, service) {
        const { behaviour, store } = service;
        const status = behaviour.readStatusFilter(request.query.getAll('status'));
        if (request.query.get('limit') !== '0' || status === undefined) return listPets(request, service);
        const page = takePage(behaviour.order(store, request), { limit: Number.POSITIVE_INFINITY, status });
        return { status: 200, headers: [], content: page.map((animal) => behaviour.show(animal, 'listed')) };
      },
    })),
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
  },
  {
    name: 'filter-ignored-without-limit',
    title: 'The status filter has an effect only if a limit is given as well',
    breaks: ['LIST-06'],
    options: askedAs((query) => {
      if (!query.has('limit')) query.delete('status');
    }),
  },
  {
    name: 'filter-lost-before-limit',
    title: 'The status filter is applied if it is the last parameter, and lost if the limit comes after it',
    breaks: ['LIST-06', 'LIST-07'],
    options: askedAs((query) => {
      if ([...query.keys()].join() === 'status,limit') query.delete('status');
    }),
  },
  {
    name: 'limit-ignored-beside-filter',
    title: 'A limit below the default has no effect if the status filter is given as well',
    breaks: ['LIST-07'],
    options: paged((all, { limit, status }) =>
      takePage(all, { limit: status === undefined || limit >= 20 ? limit : 100, status }),
    ),
  },
  {
    name: 'filter-ignored-beside-small-limit',
    title: 'The status filter has no effect beside a limit below the default',
    breaks: ['LIST-07'],
    options: paged((all, { limit, status }) =>
      takePage(all, { limit, status: limit < 20 ? undefined : status }),
    ),
  },
  {
    name: 'limit-100-beside-filter-gives-101',
    title: 'The greatest page holds one animal too many if the status filter is given',
    breaks: ['LIST-07'],
    options: paged((all, { limit, status }) =>
      takePage(all, { limit: status !== undefined && limit === 100 ? 101 : limit, status }),
    ),
  },
];
