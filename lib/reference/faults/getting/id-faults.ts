import { withBehaviour, withAnimals } from '../../changes.js';
import { isJsonObject } from '../../operations/pet-body.js';
import { Refusal } from '../../operations/refused-request.js';
import { throughDouble } from '../../operations/integers.js';
import type { Fault } from '../fault.js';
import { create, created, createMany, listed, send, expectOnWire } from '../wire.js';

/** The first identifier that a double does not hold. */
const beyondDoubles = 9_007_199_254_740_993n;

/** Which identifiers are assigned, and which animals they find: CREATE-04, GET-01, GET-02. */
export const identifierFaults: readonly Fault[] = [
  {
    name: 'ids-begin-again-after-90',
    title: 'The counter of identifiers overflows at 90 and begins again',
    breaks: ['CREATE-04', 'LIST-09'],
    options: withBehaviour(() => {
      let last = 0n;
      return { assignId: () => (last = (last % 90n) + 1n) };
    }),
    async wire(target) {
      await createMany(target, 90);
      expectOnWire((await create(target)).id === '1', 'the 91st animal has the identifier of the first');
    },
  },
  {
    name: 'path-ids-through-a-double',
    title: 'Identifiers are longer than a double holds, and getPet reads them as one',
    breaks: ['GET-01', 'GET-04'],
    options: withBehaviour(({ readPetId }) => {
      let next = beyondDoubles;
      return {
        assignId: () => (next += 2n),
        readPetId: (text) => throughDouble(readPetId(text)),
      };
    }),
    async wire(target) {
      const { id } = await create(target);
      expectOnWire((await send(target, { path: `/pets/${id}` })).status === 404, `${id} is not found`);
    },
  },
  {
    name: 'sold-animals-not-fetched',
    title: 'getPet does not find sold animals',
    breaks: ['GET-01'],
    options: withBehaviour(({ find }) => ({
      find(...parts) {
        const animal = find(...parts);
        return animal?.status === 'sold' ? undefined : animal;
      },
    })),
    async wire(target) {
      const { id } = await create(target, { status: 'sold' });
      expectOnWire(
        (await send(target, { path: `/pets/${id}` })).status === 404,
        'a sold animal is not found',
      );
    },
  },
  {
    name: 'fetching-breaks-without-a-status',
    title: 'getPet breaks on an animal that was created without a status',
    breaks: ['GET-01', 'ROBUST-01'],
    options: withBehaviour(({ show }) => ({
      statusWhenOmitted: () => undefined,
      show(animal, place) {
        if (place === 'got' && animal.status === undefined) throw new TypeError('status is undefined');
        return show(animal, place);
      },
    })),
    async wire(target) {
      const { id } = await created(target, '{"name":"Rex","categoryId":7}');
      expectOnWire((await send(target, { path: `/pets/${id}` })).status === 500, 'getPet gives 500');
    },
  },
  {
    name: 'fetched-names-normalised',
    title: 'getPet shows names in the composed form',
    breaks: ['CREATE-13', 'GET-01'],
    options: withAnimals(['got'], (animal) => ({ ...animal, name: String(animal.name).normalize('NFC') })),
    async wire(target) {
      const { id } = await created(target, '{"name":"Ame\\u0301lie","categoryId":7}');
      expectOnWire(
        (await send(target, { path: `/pets/${id}` })).text.includes('Am\u00e9lie'),
        'a name is composed',
      );
    },
  },
  {
    name: 'negative-ids-are-a-bad-request',
    title: 'getPet responds with 400 for an unknown animal with a negative identifier',
    breaks: ['GET-02', 'ROBUST-01'],
    options: withBehaviour(({ readPetId }) => ({
      readPetId(text) {
        const id = readPetId(text);
        if (id < 0n) throw new Refusal('invalid-parameter', 'The identifier has to be positive.', 'petId');
        return id;
      },
    })),
    async wire(target) {
      expectOnWire((await send(target, { path: '/pets/-12' })).status === 400, 'getPet of -12 gives 400');
    },
  },
  {
    name: 'ids-beyond-53-bits-are-a-bad-request',
    title: 'getPet responds with 400 to an identifier that JavaScript does not hold exactly',
    breaks: ['GET-02', 'ROBUST-01'],
    options: withBehaviour(({ readPetId }) => ({
      readPetId(text) {
        const id = readPetId(text);
        if (id >= beyondDoubles)
          throw new Refusal('invalid-parameter', 'The identifier is too long.', 'petId');
        return id;
      },
    })),
    async wire(target) {
      expectOnWire(
        (await send(target, { path: '/pets/9223372036854775807' })).status === 400,
        'getPet gives 400',
      );
    },
  },
  {
    name: 'id-in-the-body-moves-that-animal',
    title: 'A creation with an existing identifier moves that animal to another category, too',
    breaks: ['CREATE-14'],
    options: withBehaviour(({ assignId }) => ({
      assignId(service, body) {
        const animal = typeof body.id === 'bigint' ? service.store.find(body.id) : undefined;
        if (animal) service.store.replace({ ...animal, categoryId: animal.categoryId + 1n });
        return assignId(service, body);
      },
    })),
    async wire(target) {
      const { id } = await create(target);
      await create(target, { id: Number(id) });
      expectOnWire(
        (await send(target, { path: `/pets/${id}` })).text.includes('"categoryId":8'),
        'an animal is moved',
      );
    },
  },
  {
    name: 'stored-before-name-is-checked',
    title: 'An animal whose name is a number is refused, and stored all the same with the number as text',
    breaks: ['CREATE-11'],
    options: withBehaviour(({ readNewPet, assignId }) => ({
      readNewPet(body, service) {
        if (isJsonObject(body) && typeof body.name === 'bigint') {
          const id = assignId(service, body);
          const newPet = readNewPet({ ...body, name: String(body.name) }, service);
          if (typeof id === 'bigint') service.store.add({ ...newPet, id, createdAt: service.now() });
        }
        return readNewPet(body, service);
      },
    })),
    async wire(target) {
      const { status } = await created(target, '{"name":12345678,"categoryId":7}');
      expectOnWire(
        status === 400 && (await listed(target)).length === 1,
        'an animal that was refused is listed',
      );
    },
  },
];
