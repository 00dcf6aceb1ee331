import type { Behaviour } from '../../behaviour.js';
import { withBehaviour } from '../../changes.js';
import { isInt64 } from '../../operations/integers.js';
import type { Fault } from '../fault.js';
import { create, createMany, send, expectOnWire, type WireResponse } from '../wire.js';
import type { WireTarget } from '../fault.js';

/** Finds other animals, or none. */
function finding(find: (found: Behaviour['find']) => Behaviour['find']): Fault['options'] {
  return withBehaviour((behaviour) => ({ find: find(behaviour.find) }));
}

interface FindsAnother extends Pick<Fault, 'name' | 'title'> {
  readonly find: (found: Behaviour['find']) => Behaviour['find'];
  /** An identifier that no animal has, and that finds one. */
  readonly id: string;
}

/** Breaks GET-02: an identifier that no animal has finds another one. */
function findsAnother({ name, title, find, id }: FindsAnother): Fault {
  return {
    name,
    title,
    breaks: ['GET-02'],
    options: finding(find),
    async wire(target) {
      await createMany(target, 3);
      await expectPet(target, id, 200);
    },
  };
}

/** Responds to a path segment before it is read. */
function onSegment(matches: (text: string) => boolean, respond: Behaviour['getPet']): Fault['options'] {
  return withBehaviour(({ getPet }) => ({
    getPet: (request, service) =>
      matches(request.petId) ? respond(request, service) : getPet(request, service),
  }));
}

async function expectPet(target: WireTarget, segment: string, status: number): Promise<WireResponse> {
  const response = await send(target, { path: `/pets/${segment}` });
  expectOnWire(response.status === status, `getPet of ${segment} gives ${status}`);
  return response;
}

/** Identifiers near those of existing animals, and near the edges of what a language holds. */
export const edgeFaults: readonly Fault[] = [
  findsAnother({
    name: 'id-0-is-the-oldest',
    title: 'getPet of 0 shows the oldest animal, as the first of a list',
    find: (find) => (id, service, text) =>
      id === 0n ? [...service.store.oldestFirst()][0] : find(id, service, text),
    id: '0',
  }),
  findsAnother({
    name: 'id-minus-1-is-the-newest',
    title: 'getPet of -1 shows the newest animal, as the last of a list',
    find: (find) => (id, service, text) =>
      id === -1n ? [...service.store.newestFirst()][0] : find(id, service, text),
    id: '-1',
  }),
  findsAnother({
    name: 'ids-read-in-32-bits',
    title: 'getPet reads the last 32 bits of an identifier',
    find: (find) => (id, service, text) => find(isInt64(id) ? BigInt.asIntN(32, id) : id, service, text),
    id: String(2n ** 32n + 2n),
  }),
  findsAnother({
    name: 'ids-without-sign',
    title: 'getPet ignores the sign of an identifier',
    find: (find) => (id, service, text) => find(id < 0n ? -id : id, service, text),
    id: '-1',
  }),
  {
    name: 'small-unknown-ids-break-the-service',
    title: 'getPet breaks on an identifier a little beyond the last one, as on an index of a list',
    breaks: ['GET-02', 'ROBUST-01'],
    options: finding((find) => (id, service, text) => {
      const animal = find(id, service, text);
      if (!animal && id > 0n && id < 1_000_000n) throw new TypeError('there is no such index');
      return animal;
    }),
    async wire(target) {
      await expectPet(target, '4711', 500);
    },
  },
  {
    name: 'id-0-gets-204',
    title: 'getPet of 0 gets 204',
    breaks: ['GET-02', 'ROBUST-01'],
    options: onSegment(
      (text) => text === '0',
      () => ({ status: 204, headers: [] }),
    ),
    async wire(target) {
      await expectPet(target, '0', 204);
    },
  },
  {
    name: 'constructor-is-an-animal',
    title: 'getPet of the name that every object of JavaScript inherits gets 200 and an empty object',
    breaks: ['GET-03', 'PET-01'],
    options: onSegment(
      (text) => text in {} && text !== '__proto__',
      () => ({ status: 200, headers: [], content: {} }),
    ),
    async wire(target) {
      await expectPet(target, 'constructor', 200);
    },
  },
  {
    name: 'proto-breaks-the-service',
    title: 'getPet of __proto__ gets 500',
    breaks: ['GET-03', 'ROBUST-01'],
    options: onSegment(
      (text) => text === '__proto__',
      () => {
        throw new TypeError('Cannot read properties of null');
      },
    ),
    async wire(target) {
      await expectPet(target, '__proto__', 500);
    },
  },
  {
    name: 'newest-not-fetched',
    title: 'getPet does not find the newest of more than 100 animals, as pages of a hundred are cut off',
    breaks: ['GET-01'],
    options: finding((find) => (id, service, text) => {
      const [newest] = service.store.newestFirst();
      return newest?.id === id && service.store.size > 100 ? undefined : find(id, service, text);
    }),
    async wire(target) {
      await createMany(target, 101);
      const { id } = await create(target);
      await expectPet(target, id, 404);
    },
  },
  {
    name: 'oldest-not-fetched',
    title: 'getPet does not find the oldest of more than 50 animals, whose index is 0',
    breaks: ['GET-01'],
    options: finding((find) => (id, service, text) => {
      const [oldest] = service.store.oldestFirst();
      return oldest?.id === id && service.store.size > 50 ? undefined : find(id, service, text);
    }),
    async wire(target) {
      const { id } = await create(target);
      await createMany(target, 50);
      await expectPet(target, id, 404);
    },
  },
];
