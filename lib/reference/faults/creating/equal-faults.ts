import type { Behaviour, Service } from '../../behaviour.js';
import type { ServiceResponse } from '../../http-message.js';
import { isPetStatus, type Animal, type NewPet } from '../../operations/animal.js';
import { isJsonObject } from '../../operations/pet-body.js';
import { Refusal } from '../../operations/refused-request.js';
import { withBehaviour } from '../../changes.js';
import type { Fault } from '../fault.js';
import { create, send, expectOnWire } from '../wire.js';

/** The newest animal of the same values. */
function equalTo(newPet: NewPet, { store }: Service): Animal | undefined {
  for (const animal of store.newestFirst()) {
    const sameStatus = (newPet.status ?? 'available') === animal.status;
    if (animal.name === newPet.name && animal.categoryId === newPet.categoryId && sameStatus) return animal;
  }
  return undefined;
}

/** Responds to a body that is equal to an animal of the store. */
function respondingToEqual(
  respond: (animal: Animal, service: Service, at: number) => ServiceResponse | undefined,
): Fault['options'] {
  return withBehaviour(({ createPet }) => ({
    createPet(request, service) {
      const { behaviour } = service;
      const newPet = behaviour.readNewPet(behaviour.parseBody(behaviour.readBodyText(request)), service);
      const equal = equalTo(newPet, service);
      return (equal && respond(equal, service, request.at)) ?? createPet(request, service);
    },
  }));
}

/** Refuses a body because of the status in it. */
function refusingStatuses(refuse: (behaviour: Behaviour, value: unknown) => never): Fault['options'] {
  return withBehaviour((behaviour) => ({
    checkStatus: (value) => (isPetStatus(value) ? refuse(behaviour, value) : behaviour.checkStatus(value)),
  }));
}

/** Faults that show only if a body is equal to another one, or carries any status at all. */
export const equalBodyFaults: readonly Fault[] = [
  {
    name: 'equal-body-is-a-conflict',
    title: 'A body that is equal to an animal of the store is refused with 409',
    breaks: ['CREATE-01', 'ROBUST-01'],
    options: respondingToEqual(() => ({
      status: 409,
      headers: [],
      content: { code: 'conflict', message: 'There is such an animal already.', status: 409 },
    })),
    async wire(target) {
      await create(target);
      expectOnWire((await create(target)).status === 409, 'an equal body gives 409');
    },
  },
  {
    name: 'names-unique',
    title: 'A name that another animal has is refused',
    breaks: ['CREATE-01'],
    options: withBehaviour(({ readNewPet }) => ({
      readNewPet(body, service) {
        const newPet = readNewPet(body, service);
        for (const { name } of service.store.newestFirst()) {
          if (name === newPet.name)
            throw new Refusal('invalid-body', 'There is such an animal already.', 'name');
        }
        return newPet;
      },
    })),
    async wire(target) {
      await create(target);
      expectOnWire((await create(target, { categoryId: 8 })).status === 400, 'a name is accepted once');
    },
  },
  {
    name: 'equal-body-gives-the-first-animal',
    title: 'A body that is equal to an animal of the store gets 201 and that animal',
    breaks: ['CREATE-01', 'CREATE-04'],
    options: respondingToEqual((animal, { behaviour }) => ({
      status: 201,
      headers: [],
      content: behaviour.show(animal, 'created'),
    })),
    async wire(target) {
      const { id } = await create(target);
      expectOnWire((await create(target)).id === id, 'an equal body gives the first animal');
    },
  },
  {
    name: 'equal-body-within-a-second-refused',
    title: 'A body that is equal to the one before it, within a second, is taken for sent twice',
    breaks: ['CREATE-01'],
    options: respondingToEqual(({ id, createdAt }, { store }, at) => {
      const [newest] = store.newestFirst();
      if (newest?.id !== id || at - createdAt > 1_000) return undefined;
      throw new Refusal('invalid-body', 'This was sent already.', 'body');
    }),
    async wire(target) {
      await create(target);
      expectOnWire((await create(target)).status === 400, 'an equal body is refused at once');
    },
  },
  {
    name: 'equal-bodies-at-once-are-one',
    title: 'Equal bodies that arrive at the same moment share one creation',
    breaks: ['CREATE-04'],
    options: withBehaviour(({ createPet }) => {
      const underWay = new Map<string, Promise<ServiceResponse>>();
      return {
        async createPet(request, service) {
          const text = Buffer.from(request.body).toString();
          const known = underWay.get(text);
          if (known) return known;
          const made = Promise.resolve(createPet(request, service));
          const shared = made.then(async (response) => {
            await new Promise((resolve) => setTimeout(resolve, 10));
            return response;
          });
          underWay.set(text, shared);
          return shared.finally(() => underWay.delete(text));
        },
      };
    }),
    async wire(target) {
      const both = await Promise.all([create(target), create(target)]);
      expectOnWire(both[0].id === both[1].id, 'two creations at once make one animal');
    },
  },
  {
    name: 'statuses-in-capitals-only',
    title: 'Statuses are accepted in capitals only',
    breaks: ['CREATE-01', 'CREATE-03'],
    options: refusingStatuses(() => {
      throw new Refusal('invalid-body', 'The field "status" has to be in capitals.', 'status');
    }),
    async wire(target) {
      expectOnWire((await create(target)).status === 400, 'a status is refused');
      expectOnWire((await create(target, { status: undefined })).status === 201, 'none is not');
    },
  },
  {
    name: 'statuses-break-the-service',
    title: 'A body with a status gets 500',
    breaks: ['CREATE-01', 'CREATE-03', 'ROBUST-01'],
    options: refusingStatuses(() => {
      throw new TypeError('status is not a column');
    }),
    async wire(target) {
      expectOnWire((await create(target)).status === 500, 'a status breaks it');
    },
  },
  {
    name: 'statuses-unprocessable',
    title: 'A body with a status gets 422, as a field that only the service sets',
    breaks: ['CREATE-01', 'CREATE-03', 'ROBUST-01'],
    options: withBehaviour(({ createPet }) => ({
      createPet(request, service) {
        const { behaviour } = service;
        const body = behaviour.parseBody(behaviour.readBodyText(request));
        if (!isJsonObject(body) || body.status === undefined) return createPet(request, service);
        const content = { code: 'read_only', message: 'The status is set by the service.', status: 422 };
        return { status: 422, headers: [], content };
      },
    })),
    async wire(target) {
      const { status } = await send(target, {
        method: 'POST',
        body: '{"name":"Rex","categoryId":7,"status":"sold"}',
      });
      expectOnWire(status === 422, 'a status is unprocessable');
    },
  },
  {
    name: 'only-pending-accepted',
    title: 'Animals begin as pending: the two other statuses are refused',
    breaks: ['CREATE-01', 'CREATE-03'],
    options: withBehaviour(({ checkStatus }) => ({
      statusWhenOmitted: () => 'pending',
      checkStatus(value) {
        if (value === 'available' || value === 'sold')
          throw new Refusal('invalid-body', 'An animal has to be added as pending.', 'status');
        return checkStatus(value);
      },
    })),
    async wire(target) {
      expectOnWire((await create(target)).status === 400, 'available is refused');
      expectOnWire((await create(target, { status: 'pending' })).status === 201, 'pending is not');
    },
  },
];
