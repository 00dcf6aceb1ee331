import type { Service } from '../../behaviour.js';
import { withBehaviour } from '../../changes.js';
import { isPetStatus } from '../../operations/animal.js';
import { isJsonObject, type JsonObject } from '../../operations/pet-body.js';
import type { Fault } from '../fault.js';

/** What is stored of a body that is refused; undefined if nothing is. */
type Repair = (body: unknown) => JsonObject | undefined;
/** Whether an animal that was added at a moment is there: by the clock, or by what was done meanwhile. */
type IsThere = (addedAt: number, at: number, listings: number) => boolean;

/** Refuses a body, and adds an animal of it, at once or later. */
function storing(repaired: Repair, isThere: IsThere = () => true): Fault['options'] {
  return withBehaviour(({ readNewPet, assignId, listPets }) => {
    let waiting: Array<{ readonly body: JsonObject; readonly createdAt: number }> = [];
    let listings = 0;
    const addDue = async (at: number, service: Service): Promise<void> => {
      listings += 1;
      const due = waiting.filter(({ createdAt }) => isThere(createdAt, at, listings));
      waiting = waiting.filter((one) => !due.includes(one));
      for (const { body, createdAt } of due) {
        const id = await assignId(service, {});
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
          return readNewPet(body, service);
        } catch (error) {
          const repair = repaired(body);
          if (repair) waiting.push({ body: repair, createdAt: service.now() });
          throw error;
        }
      },
      async listPets(request, service) {
        await addDue(request.at, service);
        return listPets(request, service);
      },
    };
  });
}

/** The object in a body whose field is as a test says, with other members in its place. */
function replacing(isWrong: (body: JsonObject) => boolean, others: (body: JsonObject) => JsonObject): Repair {
  return (body) =>
    isJsonObject(body) && Object.keys(body).length > 0 && isWrong(body)
      ? { status: 'available', ...body, ...others(body) }
      : undefined;
}

/** What a refused creation leaves behind, at once or later: CREATE-11. */
export const refusedFaults: readonly Fault[] = [
  {
    name: 'nameless-stored',
    title: 'An animal without a name is refused, and stored all the same under an empty one',
    breaks: ['CREATE-11'],
    options: storing(
      replacing(
        ({ name }) => name === undefined,
        () => ({ name: '' }),
      ),
    ),
  },
  {
    name: 'name-list-stored',
    title: 'An animal whose name is a list is refused, and stored all the same with the list as text',
    breaks: ['CREATE-11'],
    options: storing(
      replacing(
        ({ name }) => Array.isArray(name),
        ({ name }) => ({ name: String(name) }),
      ),
    ),
  },
  {
    name: 'null-body-stored',
    title: 'The body null is refused, and an empty animal is stored all the same',
    breaks: ['CREATE-11'],
    options: storing((body) =>
      body === null ? { name: '', categoryId: 0n, status: 'available' } : undefined,
    ),
  },
  {
    name: 'wrong-category-stored-after-400-ms',
    title: 'An animal whose category is a string is refused, and appears 400 ms later',
    breaks: ['CREATE-11'],
    options: storing(
      replacing(
        ({ categoryId }) => typeof categoryId === 'string',
        () => ({ categoryId: 1n }),
      ),
      (addedAt, at) => at - addedAt > 400,
    ),
  },
  {
    name: 'wrong-status-stored-by-a-job',
    title:
      'An animal whose status is wrong is refused, and a job that runs every 30 listings stores it as sold',
    breaks: ['CREATE-11'],
    options: storing(
      replacing(
        ({ status }) => !isPetStatus(status ?? 'sold'),
        () => ({ status: 'sold' }),
      ),
      (_addedAt, _at, listings) => listings % 30 === 0,
    ),
  },
];
