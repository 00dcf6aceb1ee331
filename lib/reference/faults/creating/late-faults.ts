import type { Alteration, Behaviour, Service } from '../../behaviour.js';
import { isPetStatus } from '../../operations/animal.js';
import { isJsonObject, type JsonObject } from '../../operations/pet-body.js';
import { withAnimals, withBehaviour } from '../../changes.js';
import type { Fault } from '../fault.js';
import { create, created, field, listed, send, expectOnWire } from '../wire.js';

/** Whether an animal that was added at a moment is there: by the clock, or by what was done meanwhile. */
type IsThere = (addedAt: number, at: number, listings: number) => boolean;

interface StoredLater {
  /** What is stored of a body that is refused; undefined if nothing is. */
  readonly repaired: (body: unknown) => JsonObject | undefined;
  readonly isThere?: IsThere;
}

/** Refuses a body, and adds an animal of it, at once or later. */
function stored({ repaired, isThere = () => true }: StoredLater): Alteration {
  return (behaviour: Behaviour) => {
    let waiting: Array<{ readonly body: JsonObject; readonly createdAt: number }> = [];
    let listings = 0;
    const addDue = async (at: number, service: Service): Promise<void> => {
      listings += 1;
      const due = waiting.filter(({ createdAt }) => isThere(createdAt, at, listings));
      waiting = waiting.filter((one) => !due.includes(one));
      for (const { body, createdAt } of due) {
        const id = await behaviour.assignId(service, {});
        const { name, categoryId, status } = body;
        service.store.add({
          id,
          name: String(name),
          categoryId: BigInt(String(categoryId)),
          status: isPetStatus(status) ? status : 'available',
          createdAt,
        });
      }
    };
    return {
      readNewPet(body, service) {
        try {
          return behaviour.readNewPet(body, service);
        } catch (error) {
          const repair = repaired(body);
          if (repair) waiting.push({ body: repair, createdAt: service.now() });
          throw error;
        }
      },
      async listPets(request, service) {
        await addDue(request.at, service);
        return behaviour.listPets(request, service);
      },
    };
  };
}

interface StoredFault extends Pick<Fault, 'name' | 'title'>, StoredLater {
  /** A body that is refused, and what a listing shows of it. */
  readonly sent: string;
  readonly shows: string;
}

/** Breaks CREATE-11. The wire look sends a body, and finds the animal, after a while if it appears later. */
function storesRefused({ name, title, sent, shows, ...later }: StoredFault): Fault {
  return {
    name,
    title,
    breaks: ['CREATE-11'],
    options: { alterations: [stored(later)] },
    async wire(target) {
      const { status } = await created(target, sent);
      expectOnWire(status === 400, `${sent} is refused`);
      const until = Date.now() + 1_000;
      let text = '';
      while (!text.includes(shows) && Date.now() < until) text = (await send(target)).text;
      expectOnWire(text.includes(shows), `an animal of ${sent} is listed`);
    },
  };
}

/** The object in a body whose field is as a test says, with other members in its place. */
function replacing(
  isWrong: (body: JsonObject) => boolean,
  others: (body: JsonObject) => JsonObject,
): StoredLater['repaired'] {
  return (body) =>
    isJsonObject(body) && Object.keys(body).length > 0 && isWrong(body)
      ? { status: 'available', ...body, ...others(body) }
      : undefined;
}

/** What shows only later than the response, or elsewhere. */
export const lateFaults: readonly Fault[] = [
  storesRefused({
    name: 'nameless-stored',
    title: 'An animal without a name is refused, and stored all the same under an empty one',
    repaired: replacing(
      ({ name }) => name === undefined,
      () => ({ name: '' }),
    ),
    sent: '{"categoryId":77}',
    shows: '"name":""',
  }),
  storesRefused({
    name: 'name-list-stored',
    title: 'An animal whose name is a list is refused, and stored all the same with the list as text',
    repaired: replacing(
      ({ name }) => Array.isArray(name),
      ({ name }) => ({ name: String(name) }),
    ),
    sent: '{"name":["a","b"],"categoryId":77}',
    shows: '"name":"a,b"',
  }),
  storesRefused({
    name: 'uncategorised-stored',
    title: 'An animal without a category is refused, and stored all the same under category 0',
    repaired: replacing(
      ({ categoryId }) => categoryId === undefined,
      () => ({ categoryId: 0n }),
    ),
    sent: '{"name":"Stowaway"}',
    shows: 'Stowaway',
  }),
  storesRefused({
    name: 'null-body-stored',
    title: 'The body null is refused, and an empty animal is stored all the same',
    repaired: (body) => (body === null ? { name: '', categoryId: 0n, status: 'available' } : undefined),
    sent: 'null',
    shows: '"name":""',
  }),
  storesRefused({
    name: 'wrong-category-stored-after-400-ms',
    title: 'An animal whose category is a string is refused, and appears 400 ms later',
    repaired: replacing(
      ({ categoryId }) => typeof categoryId === 'string',
      () => ({ categoryId: 1n }),
    ),
    isThere: (addedAt, at) => at - addedAt > 400,
    sent: '{"name":"Stowaway","categoryId":"seven"}',
    shows: 'Stowaway',
  }),
  storesRefused({
    name: 'nameless-stored-after-250-ms',
    title: 'An animal without a name is refused, and appears 250 ms later',
    repaired: replacing(
      ({ name }) => name === undefined,
      () => ({ name: 'unnamed' }),
    ),
    isThere: (addedAt, at) => at - addedAt > 250,
    sent: '{"categoryId":77}',
    shows: 'unnamed',
  }),
  storesRefused({
    name: 'wrong-status-stored-by-a-job',
    title:
      'An animal whose status is wrong is refused, and a job that runs every 30 listings stores it as sold',
    repaired: replacing(
      ({ status }) => !isPetStatus(status ?? 'sold'),
      () => ({ status: 'sold' }),
    ),
    isThere: (_addedAt, _at, listings) => listings % 30 === 0,
    sent: '{"name":"Stowaway","categoryId":7,"status":"lost"}',
    shows: 'Stowaway',
  }),
  {
    name: 'names-kept-up-to-100-characters',
    title: 'The response to a creation has the whole name, and the store keeps 100 characters of it',
    breaks: ['LIST-10', 'CREATE-13', 'GET-01'],
    options: withAnimals(['listed', 'got'], (animal) => ({
      ...animal,
      name: Array.from(String(animal.name)).slice(0, 100).join(''),
    })),
    async wire(target) {
      const name = 'x'.repeat(101);
      const { id, text } = await create(target, { name });
      expectOnWire(text.includes(name), 'the whole name');
      expectOnWire(!(await send(target, { path: `/pets/${id}` })).text.includes(name), 'a part of it');
    },
  },
  {
    name: 'categories-in-32-bits-behind-the-cache',
    title:
      'getPet and listings show the last 32 bits of a category, which the creation returned as it was sent',
    breaks: ['LIST-10', 'CREATE-12', 'GET-01'],
    options: withAnimals(['listed', 'got'], (animal) => ({
      ...animal,
      categoryId: BigInt.asIntN(32, BigInt(String(animal.categoryId))),
    })),
    async wire(target) {
      const { id } = await created(target, '{"name":"Rex","categoryId":4294967303}');
      const { text } = await send(target, { path: `/pets/${id}` });
      expectOnWire(text.includes('"categoryId":7,'), 'a category of 32 bits');
    },
  },
  {
    name: 'statuses-returned-and-not-stored',
    title: 'A creation returns the status that was sent, and every animal is available',
    breaks: ['LIST-10', 'CREATE-03', 'GET-01'],
    options: withBehaviour(({ createPet, readNewPet }) => ({
      readNewPet: (body, service) => ({ ...readNewPet(body, service), status: 'available' }),
      async createPet(request, service) {
        const { behaviour } = service;
        const response = await createPet(request, service);
        const status = field(behaviour.parseBody(behaviour.readBodyText(request)), 'status');
        const content = response.content as Readonly<Record<string, unknown>>;
        return { ...response, content: { ...content, status: status ?? content.status } };
      },
    })),
    async wire(target) {
      const { text } = await create(target, { status: 'sold' });
      expectOnWire(text.includes('"sold"'), 'sold comes back');
      expectOnWire((await listed(target, '?status=sold')).length === 0, 'and none is sold');
    },
  },
];
