import type { ServiceResponse, ServiceRequest } from '../../http-message.js';
import type { Service } from '../../behaviour.js';
import { withBehaviour, withAnimals, withResponses } from '../../changes.js';
import type { JsonObject } from '../../operations/pet-body.js';
import { throughDouble } from '../../operations/integers.js';
import type { Fault } from '../fault.js';
import { create, created, createMany, field, listed, send, expectOnWire } from '../wire.js';

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

/** Reads some values of a limit as no limit at all. */
function unlimited(matches: (text: string) => boolean): Fault['options'] {
  return withBehaviour(({ readLimit }) => ({
    readLimit: (values) => (matches(values[0] ?? '20') ? Number.POSITIVE_INFINITY : readLimit(values)),
  }));
}

interface UnlimitedFor extends Pick<Fault, 'name' | 'title'> {
  readonly text: string;
  readonly matches: (text: string) => boolean;
}

/** A value of `limit` returns more than 100 animals. The wire look sends that value. */
function unlimitedFor({ name, title, text, matches }: UnlimitedFor): Fault {
  return {
    name,
    title,
    breaks: ['LIST-05'],
    options: unlimited(matches),
    async wire(target) {
      await createMany(target, 101);
      expectOnWire((await listed(target, `?limit=${text}`)).length === 101, `limit=${text} gives 101`);
    },
  };
}

/** Changes the response to a listing that holds no animal. */
function emptied(
  change: (response: ServiceResponse, request: ServiceRequest) => ServiceResponse,
): Fault['options'] {
  return withResponses((response, request) => {
    const { content } = response;
    const empty = request.operation === 'listPets' && Array.isArray(content) && content.length === 0;
    return empty ? change(response, request) : response;
  });
}

/** Omits from listings animals that are created while many others are, whose names differ only in their numbers. */
function losingInACrowd(crowd: number): Fault['options'] {
  return withBehaviour(({ assignId, order }) => {
    const underWay = new Map<string, number>();
    const arrived = new Map<string, number>();
    const lost = new Set<bigint>();
    const add = (counts: Map<string, number>, name: string, more: number): number => {
      const count = (counts.get(name) ?? 0) + more;
      counts.set(name, count);
      return count;
    };
    return {
      async assignId(service: Service, body: JsonObject) {
        const alike = typeof body.name === 'string' ? body.name.replace(/\d+$/, '') : '';
        add(underWay, alike, 1);
        // Requests of a burst arrive one by one: the burst is over when none has come for a while.
        for (let last = add(arrived, alike, 1), quiet = 0; quiet < 2;) {
          await new Promise((resolve) => setTimeout(resolve, 3));
          const now = arrived.get(alike) ?? 0;
          quiet = now === last ? quiet + 1 : 0;
          last = now;
        }
        const id = await assignId(service, body);
        if (add(underWay, alike, 0) >= crowd) lost.add(id);
        add(underWay, alike, -1);
        return id;
      },
      order: (store, request) => [...order(store, request)].filter(({ id }) => !lost.has(id)),
    };
  });
}

/** Listings that are wrong in rare cases: empty, with one parameter and not the other, after a burst. */
export const listingHabitFaults: readonly Fault[] = [
  {
    name: 'empty-listing-is-null',
    title: 'An empty listing is null, as a list that was never initialised',
    breaks: ['LIST-01'],
    options: emptied((response) => ({ ...response, content: null })),
    async wire(target) {
      expectOnWire((await send(target)).text === 'null', 'an empty listing is null');
    },
  },
  {
    name: 'empty-listing-is-404',
    title: 'An empty listing gets 404',
    breaks: ['LIST-01', 'ROBUST-01'],
    options: emptied((response) => ({
      ...response,
      status: 404,
      content: { code: 'not_found', message: 'No animals were found.', status: 404 },
    })),
    async wire(target) {
      expectOnWire((await send(target)).status === 404, 'an empty listing gives 404');
    },
  },
  {
    name: 'empty-listing-is-no-content',
    title: 'An empty listing gets 204',
    breaks: ['LIST-01', 'ROBUST-01'],
    options: emptied(({ headers }) => ({
      status: 204,
      headers: headers.filter(([name]) => name !== 'Content-Type'),
    })),
    async wire(target) {
      expectOnWire((await send(target)).status === 204, 'an empty listing gives 204');
    },
  },
  {
    name: 'sold-listing-in-an-envelope',
    title: 'The filter for sold animals goes to another service, which wraps its listings',
    breaks: ['LIST-01'],
    options: withResponses((response, request) =>
      request.operation === 'listPets' && request.query.get('status') === 'sold' && response.status === 200
        ? { ...response, content: { items: response.content } }
        : response,
    ),
    async wire(target) {
      const { json } = await send(target, { path: '/pets?status=sold' });
      expectOnWire(Array.isArray(field(json(), 'items')), 'the listing of sold animals is in an envelope');
    },
  },
  {
    name: 'pending-listing-moved',
    title: 'The listing of pending animals is redirected to another address',
    breaks: ['LIST-01', 'ROBUST-01'],
    options: withResponses((response, request) =>
      request.operation === 'listPets' && request.query.get('status') === 'pending' && response.status === 200
        ? { ...response, status: 301, headers: [...response.headers, ['Location', '/v1/pending-pets']] }
        : response,
    ),
    async wire(target) {
      const { status } = await send(target, { path: '/pets?status=pending' });
      expectOnWire(status === 301, 'the listing of pending animals is elsewhere');
    },
  },
  {
    name: 'filter-ignored-without-limit',
    title: 'The status filter has an effect only if a limit is given as well',
    breaks: ['LIST-06'],
    options: askedAs((query) => {
      if (!query.has('limit')) query.delete('status');
    }),
    async wire(target) {
      await create(target);
      expectOnWire(
        (await listed(target, '?status=sold')).length === 1,
        'status=sold gives what is available',
      );
      expectOnWire((await listed(target, '?status=sold&limit=5')).length === 0, 'beside a limit it does not');
    },
  },
  {
    name: 'no-default-limit-beside-filter',
    title: 'The default limit is not applied if the status filter is given',
    breaks: ['LIST-03'],
    options: askedAs((query) => {
      if (query.has('status') && !query.has('limit')) query.set('limit', '100');
    }),
    async wire(target) {
      await createMany(target, 21);
      expectOnWire((await listed(target, '?status=available')).length === 21, 'status=available gives 21');
    },
  },
  {
    name: 'default-10-beside-filter',
    title: 'If the status filter is given, the default limit is 10',
    breaks: ['LIST-03'],
    options: askedAs((query) => {
      if (query.has('status') && !query.has('limit')) query.set('limit', '10');
    }),
    async wire(target) {
      await createMany(target, 11);
      expectOnWire((await listed(target, '?status=available')).length === 10, 'status=available gives 10');
    },
  },
  unlimitedFor({
    name: 'limit-0-is-unlimited',
    title: 'A limit of 0 is treated as no limit',
    text: '0',
    matches: (text) => text === '0',
  }),
  unlimitedFor({
    name: 'negative-limit-is-unlimited',
    title: 'A negative limit is treated as no limit, as SQLite does',
    text: '-1',
    matches: (text) => text.startsWith('-'),
  }),
  unlimitedFor({
    name: 'limit-in-words-is-unlimited',
    title: 'A limit that is not a number is treated as no limit',
    text: 'all',
    matches: (text) => !/^-?\d/.test(text),
  }),
  {
    name: 'creations-lost-in-a-burst',
    title: 'Some of many animals with alike names that are added at the same moment are in no listing',
    breaks: ['LIST-08'],
    options: losingInACrowd(10),
    async wire(target) {
      await Promise.all(Array.from({ length: 40 }, () => create(target)));
      expectOnWire((await listed(target, '?limit=100')).length < 40, 'animals are missing after a burst');
    },
  },
  {
    name: 'animals-added-twice',
    title: 'A creation adds the animal twice, under two identifiers',
    breaks: ['LIST-10'],
    options: withBehaviour(({ keep }) => ({
      keep(animal, service) {
        service.store.add({ ...animal, id: animal.id + 1_000_000n });
        keep(animal, service);
      },
    })),
    async wire(target) {
      await create(target);
      expectOnWire((await listed(target)).length === 2, 'one creation, two animals');
    },
  },
  {
    name: 'listing-rounds-ids',
    title: 'Identifiers have 60 bits, and the listing writes them as doubles',
    breaks: ['LIST-08', 'LIST-10'],
    options: {
      alterations: [
        ({ assignId }) => ({
          assignId: async (service, body) => ((await assignId(service, body)) << 40n) + (1n << 60n) + 1n,
        }),
        ...(withAnimals(['listed'], (animal) => ({ ...animal, id: throughDouble(BigInt(String(animal.id))) }))
          .alterations ?? []),
      ],
    },
    async wire(target) {
      const { id } = await create(target);
      const { text } = await send(target);
      expectOnWire(!text.includes(`"id":${id},`), `${id} is listed under another identifier`);
    },
  },
  {
    name: 'listing-normalises-names',
    title: 'The listing shows names in the composed form',
    breaks: ['CREATE-13', 'LIST-10'],
    options: withAnimals(['listed'], (animal) => ({ ...animal, name: String(animal.name).normalize('NFC') })),
    async wire(target) {
      await created(target, '{"name":"Ame\\u0301lie","categoryId":7}');
      expectOnWire((await send(target)).text.includes('Am\u00e9lie'), 'a name is composed in the listing');
    },
  },
  {
    name: 'filter-lost-before-limit',
    title: 'The status filter is applied if it is the last parameter, and lost if the limit comes after it',
    breaks: ['LIST-06', 'LIST-07'],
    options: askedAs((query) => {
      if ([...query.keys()].join() === 'status,limit') query.delete('status');
    }),
    async wire(target) {
      await create(target, { status: 'sold' });
      const lost = await listed(target, '?status=pending&limit=5');
      const kept = await listed(target, '?limit=5&status=pending');
      expectOnWire(lost.length === 1 && kept.length === 0, 'the order of the parameters decides');
    },
  },
];
