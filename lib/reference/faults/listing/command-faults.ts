import { withBehaviour } from '../../changes.js';
import type { ServiceResponse } from '../../http-message.js';
import type { Fault } from '../fault.js';
import { create, listed, send, expectOnWire } from '../wire.js';

/** What only some sequences of requests show: the thorough profile draws sequences. */
export const commandFaults: readonly Fault[] = [
  {
    name: 'unknown-animal-remembered',
    title: 'getPet remembers the last identifier that it did not find, even if an animal gets it then',
    breaks: ['GET-01'],
    profile: 'thorough',
    options: withBehaviour(({ find }) => {
      let unknown: bigint | undefined;
      return {
        find(id, service, text) {
          const animal = id === unknown ? undefined : find(id, service, text);
          // Identifiers that are far from any animal are not worth remembering.
          if (!animal && service.store.find(id - 1n)) unknown = id;
          return animal;
        },
      };
    }),
    async wire(target) {
      const { id } = await create(target);
      const path = `/pets/${Number(id) + 1}`;
      await send(target, { path });
      await create(target);
      expectOnWire((await send(target, { path })).status === 404, 'an animal is not found');
    },
  },
  {
    name: 'animal-fetched-twice-leaves-the-listing',
    title: 'An animal that is fetched twice before anything is listed is in no listing',
    breaks: ['LIST-08'],
    profile: 'thorough',
    options: withBehaviour(({ getPet, listPets, order }) => {
      const fetched = new Map<string, number>();
      const lost = new Set<string>();
      return {
        getPet(request, service) {
          const times = (fetched.get(request.petId) ?? 0) + 1;
          fetched.set(request.petId, times);
          if (times >= 2) lost.add(request.petId);
          return getPet(request, service);
        },
        listPets(request, service) {
          fetched.clear();
          return listPets(request, service);
        },
        order: (store, request) => [...order(store, request)].filter(({ id }) => !lost.has(String(id))),
      };
    }),
    async wire(target) {
      const { id } = await create(target);
      for (let times = 0; times < 2; times += 1) await send(target, { path: `/pets/${id}` });
      expectOnWire((await listed(target)).length === 0, 'an animal is lost');
    },
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
    async wire(target) {
      await listed(target, '?limit=100');
      await create(target, { status: 'pending' });
      expectOnWire((await listed(target, '?limit=100')).length === 0, 'a creation is not listed');
    },
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
    async wire(target) {
      let made = 0;
      const isLost = async (): Promise<boolean> => (await listed(target, '?limit=100')).length < made;
      // On a busy machine the listing may be over by then.
      for (; made < 20 && !(await isLost()); made += 1)
        await Promise.all([listed(target, '?status=sold&limit=100'), create(target, { status: 'sold' })]);
      expectOnWire(await isLost(), 'a creation is not listed');
    },
  },
];
