import type { Behaviour } from '../../behaviour.js';
import { isJsonObject, type JsonObject } from '../../operations/pet-body.js';
import { Refusal } from '../../operations/refused-request.js';
import { withBehaviour, withAnimals, withResponses, withRefusals } from '../../changes.js';
import type { Fault, WireTarget } from '../fault.js';
import { create, field, send, expectOnWire, type WireResponse } from '../wire.js';

/** Changes a parsed body before it is read. */
function rewritten(change: (body: unknown) => unknown): Fault['options'] {
  return withBehaviour(({ readNewPet }) => ({
    readNewPet: (body, service) => readNewPet(change(body), service),
  }));
}

/** Changes a body's text before it is parsed. */
function reparsed(change: (text: string, parse: Behaviour['parseBody']) => unknown): Fault['options'] {
  return withBehaviour(({ parseBody }) => ({ parseBody: (text) => change(text, parseBody) }));
}

/** Answers some bodies with another status, and stores nothing. */
function answered(status: number, matches: (body: JsonObject) => boolean): Fault['options'] {
  return withBehaviour(({ createPet }) => ({
    createPet(request, service) {
      const body = parsedObject(service.behaviour, request);
      if (!body || !matches(body)) return createPet(request, service);
      const content = { code: `refused_${status}`, message: 'The animal was not added.', status };
      return { status, headers: [], content };
    },
  }));
}

function parsedObject(
  behaviour: Behaviour,
  request: Parameters<Behaviour['createPet']>[0],
): JsonObject | undefined {
  try {
    const body = behaviour.parseBody(behaviour.readBodyText(request));
    return isJsonObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

async function expectStatus(
  target: WireTarget,
  body: string | undefined,
  status: number,
): Promise<WireResponse> {
  const response = await send(target, { method: 'POST', ...(body === undefined ? {} : { body }) });
  expectOnWire(response.status === status, `${body ?? 'no body'} gives ${status}`);
  return response;
}

export const creatingBodyFaults: readonly Fault[] = [
  {
    name: 'created-with-200',
    title: 'A creation gets 200',
    breaks: ['CREATE-01', 'ROBUST-01'],
    options: withResponses((response) => (response.status === 201 ? { ...response, status: 200 } : response)),
    async wire(target) {
      expectOnWire((await create(target)).status === 200, 'a creation with 200');
    },
  },
  {
    name: 'created-without-body',
    title: 'A creation gets 201 without the animal',
    breaks: ['CREATE-01'],
    options: withBehaviour(({ createPet }) => ({
      async createPet(request, service) {
        const { status, headers } = await createPet(request, service);
        return { status, headers };
      },
    })),
    async wire(target) {
      const { status, text } = await create(target);
      expectOnWire(status === 201 && text === '', 'a creation without a body');
    },
  },
  {
    name: 'ids-given-twice-in-a-burst',
    title: 'The next identifier is read before it is increased, so that a burst gets one twice',
    breaks: ['CREATE-04', 'LIST-09'],
    options: withBehaviour(() => {
      let last = 0n;
      return {
        async assignId() {
          const next = last + 1n;
          await new Promise((resolve) => setTimeout(resolve, 2));
          last = next;
          return next;
        },
      };
    }),
    async wire(target) {
      const burst = await Promise.all(Array.from({ length: 8 }, () => create(target)));
      expectOnWire(new Set(burst.map(({ id }) => id)).size < burst.length, 'an identifier given twice');
    },
  },
  {
    name: 'missing-fields-answered-422',
    title: 'A body without a required field gets 422',
    breaks: ['CREATE-05', 'CREATE-06', 'ROBUST-01'],
    options: answered(422, (body) => body.name === undefined || body.categoryId === undefined),
    async wire(target) {
      await expectStatus(target, '{"name":"Rex"}', 422);
    },
  },
  {
    name: 'invalid-values-answered-422',
    title: 'Every refused body gets 422',
    breaks: ['CREATE-05', 'CREATE-06', 'CREATE-07', 'CREATE-08', 'CREATE-09', 'CREATE-10', 'ROBUST-01'],
    options: withRefusals(['invalid-body'], (response) => ({
      ...response,
      status: 422,
      content: { code: 'unprocessable', message: 'The body is not valid.', status: 422 },
    })),
    async wire(target) {
      await expectStatus(target, '{"name":"Rex","categoryId":7,"status":"lost"}', 422);
    },
  },
  {
    name: 'missing-name-breaks-the-service',
    title: 'A body without a name gets 500, by a null pointer',
    breaks: ['CREATE-05', 'ROBUST-01'],
    options: withBehaviour(({ checkName }) => ({
      checkName(value) {
        if (value === undefined) throw new TypeError('name is undefined');
        return checkName(value);
      },
    })),
    async wire(target) {
      await expectStatus(target, '{"categoryId":7}', 500);
    },
  },
  {
    name: 'array-of-one-accepted',
    title: 'An array that holds one animal is taken for that animal',
    breaks: ['CREATE-10'],
    options: rewritten((body) => (Array.isArray(body) && body.length === 1 ? body[0] : body)),
    async wire(target) {
      await expectStatus(target, '[{"name":"Rex","categoryId":7}]', 201);
    },
  },
  {
    name: 'cut-off-json-repaired',
    title: 'A body without its last brace is accepted',
    breaks: ['CREATE-10'],
    options: reparsed((text, parse) =>
      parse(/[^}\s]\s*$/.test(text) && text.startsWith('{') ? `${text}}` : text),
    ),
    async wire(target) {
      await expectStatus(target, '{"name":"Rex","categoryId":7', 201);
    },
  },
  {
    name: 'cut-off-json-breaks-the-service',
    title: 'JSON that does not parse gets 500',
    breaks: ['CREATE-10', 'ROBUST-01'],
    options: reparsed((text, parse) => {
      try {
        return parse(text);
      } catch {
        throw new SyntaxError('unexpected end');
      }
    }),
    async wire(target) {
      await expectStatus(target, '{"name":', 500);
    },
  },
  {
    name: 'null-body-breaks-the-service',
    title: 'The body null gets 500',
    breaks: ['CREATE-10', 'ROBUST-01'],
    options: rewritten((body) => {
      if (body === null) throw new TypeError('Cannot read properties of null');
      return body;
    }),
    async wire(target) {
      await expectStatus(target, 'null', 500);
    },
  },
  {
    name: 'missing-body-answered-415',
    title: 'A creation without a body gets 415, whatever its Content-Type',
    breaks: ['CREATE-10', 'ROBUST-01'],
    options: withBehaviour(({ readBodyText }) => ({
      readBodyText(request) {
        if (request.body.byteLength === 0) throw new Refusal('unsupported-media', 'Send application/json.');
        return readBodyText(request);
      },
    })),
    async wire(target) {
      await expectStatus(target, undefined, 415);
    },
  },
  {
    name: 'missing-body-ignored',
    title: 'A creation without a body gets 200 and an empty object',
    breaks: ['CREATE-10', 'ROBUST-01'],
    options: withBehaviour(({ createPet }) => ({
      createPet: (request, service) =>
        request.body.byteLength === 0
          ? { status: 200, headers: [], content: {} }
          : createPet(request, service),
    })),
    async wire(target) {
      await expectStatus(target, undefined, 200);
    },
  },
  {
    name: 'stored-before-status-is-checked',
    title: 'An animal is stored before its status is validated',
    breaks: ['CREATE-11'],
    options: storedAllTheSame('status', { status: 'available' }),
    async wire(target) {
      await expectStatus(target, '{"name":"Stowaway","categoryId":7,"status":"lost"}', 400);
      expectOnWire((await send(target)).text.includes('Stowaway'), 'an animal that was refused is listed');
    },
  },
  {
    name: 'stored-before-category-is-checked',
    title: 'An animal is stored before its category is validated',
    breaks: ['CREATE-11'],
    options: storedAllTheSame('categoryId', { categoryId: 0n }),
    async wire(target) {
      await expectStatus(target, '{"name":"Stowaway","categoryId":"seven"}', 400);
      expectOnWire((await send(target)).text.includes('Stowaway'), 'an animal that was refused is listed');
    },
  },
  {
    name: 'id-taken-from-the-body',
    title: 'An identifier in the body is used if no animal has it yet',
    breaks: ['CREATE-14'],
    options: withBehaviour(({ assignId }) => ({
      assignId: (service, body) =>
        typeof body.id === 'bigint' && !service.store.find(body.id) ? body.id : assignId(service, body),
    })),
    async wire(target) {
      expectOnWire((await create(target, { id: 4711 })).id === '4711', 'the identifier of the body is taken');
    },
  },
  {
    name: 'id-in-the-body-overwrites',
    title: 'An existing identifier in the body overwrites that animal',
    breaks: ['CREATE-14'],
    options: withBehaviour(({ assignId, keep }) => ({
      assignId: (service, body) =>
        typeof body.id === 'bigint' && service.store.find(body.id) ? body.id : assignId(service, body),
      keep(animal, service) {
        if (!service.store.replace(animal)) keep(animal, service);
      },
    })),
    async wire(target) {
      const { id } = await create(target);
      await create(target, { id: Number(id), name: 'Cuckoo' });
      const { text } = await send(target, { path: `/pets/${id}` });
      expectOnWire(text.includes('Cuckoo'), 'an animal was overwritten');
    },
  },
  {
    name: 'created-answer-leaves-status-out',
    title: 'The response to a creation has no status',
    breaks: ['CREATE-01', 'CREATE-03'],
    options: withAnimals(['created'], ({ status: _status, ...others }) => others),
    async wire(target) {
      const { json } = await create(target);
      expectOnWire(field(json(), 'status') === undefined, 'no status in the answer to a creation');
    },
  },
];

/** Stores an animal whose field was refused, with another value for that field. */
function storedAllTheSame(name: string, replacement: JsonObject): Fault['options'] {
  return withBehaviour(({ readNewPet, assignId }) => ({
    readNewPet(body, service) {
      try {
        return readNewPet(body, service);
      } catch (error) {
        if (error instanceof Refusal && error.detail === name && isJsonObject(body) && name in body) {
          storeRepaired(readNewPet, assignId, { ...body, ...replacement }, service);
        }
        throw error;
      }
    },
  }));
}

function storeRepaired(
  readNewPet: Behaviour['readNewPet'],
  assignId: Behaviour['assignId'],
  body: JsonObject,
  service: Parameters<Behaviour['keep']>[1],
): void {
  const newPet = readNewPet(body, service);
  const id = assignId(service, body);
  if (typeof id === 'bigint') service.behaviour.keep({ ...newPet, id, createdAt: service.now() }, service);
}
