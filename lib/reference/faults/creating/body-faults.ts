import { parse } from 'lossless-json';
import type { Behaviour, Service } from '../../behaviour.js';
import { withBehaviour, withResponses, withRefusals } from '../../changes.js';
import type { ServiceResponse } from '../../http-message.js';
import type { Animal, NewPet } from '../../operations/animal.js';
import { isJsonObject } from '../../operations/pet-body.js';
import { Refusal } from '../../operations/refused-request.js';
import type { Fault } from '../fault.js';

/** Changes the text of a body that is not valid JSON. */
function mending(mend: (text: string) => string): Fault['options'] {
  return withBehaviour(({ parseBody }) => ({
    parseBody(text) {
      try {
        return parseBody(text);
      } catch {
        return parseBody(mend(text));
      }
    },
  }));
}

/** The first JSON object in a text: what a reader takes that stops at its end. */
function firstObject(text: string): string {
  for (let end = text.indexOf('}'); end >= 0; end = text.indexOf('}', end + 1)) {
    try {
      parse(text.slice(0, end + 1));
      return text.slice(0, end + 1);
    } catch {
      // Not its end yet.
    }
  }
  return text;
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

/** The newest animal of the same values. */
function equalTo(newPet: NewPet, { store }: Service): Animal | undefined {
  for (const animal of store.newestFirst()) {
    const sameStatus = (newPet.status ?? 'available') === animal.status;
    if (animal.name === newPet.name && animal.categoryId === newPet.categoryId && sameStatus) return animal;
  }
  return undefined;
}

function unprocessable(response: ServiceResponse): ServiceResponse {
  const content = { code: 'unprocessable', message: 'The body is not valid.', status: 422 };
  return { ...response, status: 422, content };
}

/** How a body is read as a whole, and what its creation gets: CREATE-01, CREATE-05, CREATE-06, CREATE-10. */
export const bodyFaults: readonly Fault[] = [
  {
    name: 'created-with-200',
    title: 'A creation gets 200',
    breaks: ['CREATE-01', 'ROBUST-01'],
    options: withResponses((response) => (response.status === 201 ? { ...response, status: 200 } : response)),
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
  },
  {
    name: 'escapes-kept',
    title: 'Escapes of letters in a name are kept as they are written',
    breaks: ['CREATE-01'],
    options: withBehaviour(({ parseBody }) => ({
      parseBody(text) {
        const body = parseBody(text);
        const written = /"(?:name|(?:\\u00..){4})"\s*:\s*"((?:\\u00..|[^"\\])*)"/.exec(text)?.[1] ?? '';
        return written.includes('\\') && isJsonObject(body) ? { ...body, name: written } : body;
      },
    })),
  },
  {
    name: 'missing-fields-answered-422',
    title: 'A body without a required field gets 422',
    breaks: ['CREATE-05', 'CREATE-06', 'ROBUST-01'],
    options: withBehaviour(({ createPet }) => ({
      createPet(request, service) {
        const body = parsed(request, service.behaviour);
        const isComplete = !isJsonObject(body) || (body.name !== undefined && body.categoryId !== undefined);
        return isComplete ? createPet(request, service) : unprocessable({ status: 422, headers: [] });
      },
    })),
  },
  {
    name: 'invalid-values-answered-422',
    title: 'Every refused body gets 422',
    breaks: ['CREATE-05', 'CREATE-06', 'CREATE-07', 'CREATE-08', 'CREATE-09', 'CREATE-10', 'ROBUST-01'],
    options: withRefusals(['invalid-body'], unprocessable),
  },
  {
    name: 'array-of-one-accepted',
    title: 'An array that holds one animal is taken for that animal',
    breaks: ['CREATE-10'],
    options: withBehaviour(({ readNewPet }) => ({
      readNewPet: (body, service) =>
        readNewPet(Array.isArray(body) && body.length === 1 ? body[0] : body, service),
    })),
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
  },
  {
    name: 'text-after-a-body-ignored',
    title: 'What follows the object is ignored',
    breaks: ['CREATE-10'],
    options: mending(firstObject),
  },
  {
    name: 'comma-after-the-last-member-accepted',
    title: 'A comma after the last member of a body is ignored',
    breaks: ['CREATE-10'],
    options: mending((text) => text.replace(/,\s*\}/u, '}')),
  },
  {
    name: 'waits-for-the-end-of-a-string',
    title: 'A body that ends inside a string gets no response',
    breaks: ['ROBUST-01'],
    options: withBehaviour(({ createPet }) => ({
      async createPet(request, service) {
        const quotes = Buffer.from(request.body).toString().match(/"/g) ?? [];
        if (quotes.length % 2 === 1) await new Promise(() => undefined);
        return createPet(request, service);
      },
    })),
  },
];

function parsed(request: Parameters<Behaviour['createPet']>[0], behaviour: Behaviour): unknown {
  try {
    return behaviour.parseBody(behaviour.readBodyText(request));
  } catch {
    return undefined;
  }
}
