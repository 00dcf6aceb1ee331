import type { Service } from '../../behaviour.js';
import { withAnimals, withBehaviour, withResponses } from '../../changes.js';
import type { ServiceResponse, ServiceRequest } from '../../http-message.js';
import type { JsonObject } from '../../operations/pet-body.js';
import { takePage } from '../../operations/parameters.js';
import { settled } from '../../variants/listing-variants.js';
import type { Fault } from '../fault.js';

/** Changes the responses with 200 to listings that match. */
function listed(
  matches: (response: ServiceResponse, request: ServiceRequest) => boolean,
  change: (response: ServiceResponse) => ServiceResponse,
): Fault['options'] {
  return withResponses((response, request) =>
    request.operation === 'listPets' && response.status === 200 && matches(response, request)
      ? change(response)
      : response,
  );
}

function isEmpty({ content }: ServiceResponse): boolean {
  return Array.isArray(content) && content.length === 0;
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

/** What a listing is, and which animals are in it: LIST-01, LIST-08 to LIST-10. */
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
  },
  {
    name: 'empty-listing-is-null',
    title: 'An empty listing is null, as a list that was never initialised',
    breaks: ['LIST-01'],
    options: listed(isEmpty, (response) => ({ ...response, content: null })),
  },
  {
    name: 'empty-listing-is-404',
    title: 'An empty listing gets 404',
    breaks: ['LIST-01', 'ROBUST-01'],
    options: listed(isEmpty, (response) => ({
      ...response,
      status: 404,
      content: { code: 'not_found', message: 'No animals were found.', status: 404 },
    })),
  },
  {
    name: 'sold-listing-in-an-envelope',
    title: 'The filter for sold animals goes to another service, which wraps its listings',
    breaks: ['LIST-01'],
    options: listed(
      (_response, { query }) => query.get('status') === 'sold',
      (response) => ({ ...response, content: { items: response.content } }),
    ),
  },
  {
    name: 'pending-listing-moved',
    title: 'The listing of pending animals is redirected to another address',
    breaks: ['LIST-01', 'ROBUST-01'],
    options: listed(
      (_response, { query }) => query.get('status') === 'pending',
      (response) => ({
        ...response,
        status: 301,
        headers: [...response.headers, ['Location', '/v1/pending-pets']],
      }),
    ),
  },
  {
    name: 'creations-lost-in-a-burst',
    title: 'Some of many animals with alike names that are added at the same moment are in no listing',
    breaks: ['LIST-08'],
    options: losingInACrowd(10),
  },
  {
    name: 'every-fifth-listing-is-old',
    title: 'Every fifth listing comes from a replica of the store that is a minute and a half late',
    breaks: ['LIST-08', 'LIST-04'],
    plan: 'free',
    options: withBehaviour(({ order }) => {
      let listings = 0;
      return {
        order(store, request) {
          listings += 1;
          const animals = order(store, request);
          return listings % 5 === 0 ? settled(animals, request.at - 90_000) : animals;
        },
      };
    }),
  },
  {
    name: 'listing-kept-past-a-creation',
    title: 'A listing with the greatest limit is kept until an animal is created that is not pending',
    breaks: ['LIST-08'],
    profile: 'thorough',
    options: withBehaviour(({ listPets, createPet }) => {
      const kept = new Map<string, ServiceResponse>();
      return {
        async listPets(request, service) {
          const query = request.query.toString();
          const response = kept.get(query) ?? (await listPets(request, service));
          if (query.includes('limit=100')) kept.set(query, response);
          return response;
        },
        createPet(request, service) {
          if (!Buffer.from(request.body).includes('pending')) kept.clear();
          return createPet(request, service);
        },
      };
    }),
  },
  {
    name: 'creation-beside-a-listing-lost',
    title:
      'An animal that is created while a listing with a filter for its status is under way is not listed',
    breaks: ['LIST-08'],
    profile: 'thorough',
    options: withBehaviour(({ createPet, listPets, order }) => {
      const underWay = new Map<string, number>();
      const lost = new Set<bigint>();
      const count = (status: string, by: number): void => {
        underWay.set(status, (underWay.get(status) ?? 0) + by);
      };
      return {
        async listPets(request, service) {
          const status = request.query.get('status') ?? '';
          count(status, 1);
          await new Promise((resolve) => setTimeout(resolve, 10));
          const response = await listPets(request, service);
          count(status, -1);
          return response;
        },
        async createPet(request, service) {
          const response = await createPet(request, service);
          const [animal] = service.store.newestFirst();
          if (animal?.status !== undefined && (underWay.get(animal.status) ?? 0) > 0) lost.add(animal.id);
          return response;
        },
        order: (store, request) => [...order(store, request)].filter(({ id }) => !lost.has(id)),
      };
    }),
  },
  {
    name: 'animal-listed-twice',
    title: 'The first animal of a page is listed twice',
    breaks: ['LIST-09'],
    options: withBehaviour(() => ({
      page(animals, query) {
        const [first, ...others] = takePage(animals, query);
        return first ? [first, first, ...others].slice(0, query.limit) : [];
      },
    })),
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
  },
  {
    name: 'statuses-omitted-in-listings',
    title: 'A listing leaves out the status of animals, which their creations returned',
    breaks: ['LIST-10'],
    options: withAnimals(['listed'], ({ status: _status, ...others }) => others),
  },
  {
    name: 'statuses-returned-and-not-stored',
    title: 'A creation returns the status that was sent, and every animal is available',
    breaks: ['CREATE-03', 'LIST-10', 'GET-01'],
    options: withBehaviour(({ createPet, readNewPet }) => ({
      readNewPet: (body, service) => ({ ...readNewPet(body, service), status: 'available' }),
      async createPet(request, service) {
        const { behaviour } = service;
        const response = await createPet(request, service);
        const { status } = behaviour.parseBody(behaviour.readBodyText(request)) as JsonObject;
        const content = response.content as JsonObject;
        return { ...response, content: { ...content, status: status ?? content.status } };
      },
    })),
  },
];
