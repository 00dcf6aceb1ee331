import { Refusal } from '../../operations/refused-request.js';
import type { ServiceResponse } from '../../http-message.js';
import { canonicalInteger, isInt64, throughDouble } from '../../operations/integers.js';
import { withBehaviour, withAnimals, withResponses } from '../../changes.js';
import type { Fault, WireTarget } from '../fault.js';
import { create, createMany, created, send, expectOnWire, type WireResponse } from '../wire.js';

/** An identifier that no store of a test ever gives. */
const unknownId = '9223372036854775807';

/** Whether a segment is an identifier that an animal could have. */
function isId(segment: string): boolean {
  const id = canonicalInteger(segment);
  return id !== undefined && isInt64(id);
}

/** Changes the response of getPet to an unknown animal. */
function unknownAnswered(response: ServiceResponse): Fault['options'] {
  return withResponses((given, request) =>
    request.operation === 'getPet' && given.status === 404 && isId(request.petId)
      ? { ...given, ...response, headers: given.headers }
      : given,
  );
}

/** Breaks on a path segment, before the animal is looked up. */
function breaksOn(matches: (text: string) => boolean): Fault['options'] {
  return withBehaviour(({ readPetId }) => ({
    readPetId(text) {
      if (matches(text)) throw new RangeError('the identifier could not be converted');
      return readPetId(text);
    },
  }));
}

function read(text: RegExp): Fault['options'] {
  return withBehaviour(({ readPetId }) => ({
    readPetId: (segment) => readPetId(text.exec(segment)?.[0] ?? segment),
  }));
}

async function expectPet(target: WireTarget, segment: string, status: number): Promise<WireResponse> {
  const response = await send(target, { path: `/pets/${segment}` });
  expectOnWire(response.status === status, `getPet of ${segment} gives ${status}`);
  return response;
}

export const gettingFaults: readonly Fault[] = [
  {
    name: 'fetched-animal-has-a-rounded-category',
    title: 'getPet writes categories as doubles',
    breaks: ['CREATE-12', 'GET-01'],
    options: withAnimals(['got'], (animal) => ({
      ...animal,
      categoryId: throughDouble(BigInt(String(animal.categoryId))),
    })),
    async wire(target) {
      const { id } = await created(target, '{"name":"Rex","categoryId":9007199254740993}');
      expectOnWire(
        (await expectPet(target, id, 200)).text.includes('9007199254740992'),
        'a category is rounded by getPet',
      );
    },
  },
  {
    name: 'fetched-animal-without-status',
    title: 'getPet leaves the status out',
    breaks: ['GET-01'],
    options: withAnimals(['got'], ({ status: _status, ...others }) => others),
    async wire(target) {
      const { id } = await create(target);
      expectOnWire(!(await expectPet(target, id, 200)).text.includes('"status"'), 'getPet shows no status');
    },
  },
  {
    name: 'second-fetch-comes-from-a-broken-cache',
    title: 'getPet shows an animal without its status from the second request on',
    breaks: ['GET-01'],
    options: withBehaviour(({ getPet }) => {
      const fetched = new Set<string>();
      return {
        async getPet(request, service) {
          const response = await getPet(request, service);
          if (!fetched.has(request.petId)) {
            fetched.add(request.petId);
            return response;
          }
          const { status: _status, ...others } = response.content as Readonly<Record<string, unknown>>;
          return { ...response, content: others };
        },
      };
    }),
    async wire(target) {
      const { id } = await create(target);
      const first = await expectPet(target, id, 200);
      expectOnWire(
        (await expectPet(target, id, 200)).text !== first.text,
        'the second answer differs from the first',
      );
    },
  },
  {
    name: 'unknown-animal-is-null',
    title: 'getPet responds with 200 and null for an unknown animal',
    breaks: ['GET-02', 'PET-01'],
    options: unknownAnswered({ status: 200, headers: [], content: null }),
    async wire(target) {
      await expectPet(target, unknownId, 200);
    },
  },
  {
    name: 'unknown-animal-is-no-content',
    title: 'getPet responds with 204 for an unknown animal',
    breaks: ['GET-02', 'ROBUST-01'],
    options: withResponses((response, request) =>
      request.operation === 'getPet' && response.status === 404 && isId(request.petId)
        ? { status: 204, headers: response.headers.filter(([name]) => name !== 'Content-Type') }
        : response,
    ),
    async wire(target) {
      await expectPet(target, unknownId, 204);
    },
  },
  {
    name: 'unknown-animal-is-a-bad-request',
    title: 'getPet responds with 400 for an unknown animal',
    breaks: ['GET-02', 'ROBUST-01'],
    options: unknownAnswered({
      status: 400,
      headers: [],
      content: { code: 'invalid_parameter', message: 'There is no such animal.', status: 400 },
    }),
    async wire(target) {
      await expectPet(target, unknownId, 400);
    },
  },
  {
    name: 'unknown-animal-is-another',
    title: 'getPet shows the newest animal instead of an unknown one',
    breaks: ['GET-02'],
    options: withBehaviour(({ find }) => ({
      find: (id, service, text) =>
        find(id, service, text) ?? (isInt64(id) ? [...service.store.newestFirst()][0] : undefined),
    })),
    async wire(target) {
      await create(target);
      await expectPet(target, unknownId, 200);
    },
  },
  {
    name: 'longest-id-breaks-the-service',
    title: 'An identifier longer than 53 bits gets 500',
    breaks: ['GET-02', 'GET-03', 'ROBUST-01'],
    options: breaksOn((text) => /^\d+$/.test(text) && BigInt(text) > 9_007_199_254_740_991n),
    async wire(target) {
      await expectPet(target, unknownId, 500);
    },
  },
  {
    name: 'letters-behind-an-id-ignored',
    title: 'Letters after an identifier are ignored, as by parseInt',
    breaks: ['GET-03'],
    options: read(/^\d+(?=[A-Za-z])/),
    async wire(target) {
      const { id } = await create(target);
      await expectPet(target, `${id}abc`, 200);
    },
  },
  {
    name: 'fraction-of-an-id-ignored',
    title: 'The fraction of an identifier is cut off',
    breaks: ['GET-03'],
    options: read(/^\d+(?=\.\d*[1-9])/),
    async wire(target) {
      const { id } = await create(target);
      await expectPet(target, `${id}.5`, 200);
    },
  },
  {
    name: 'letters-as-an-id-break-the-service',
    title: 'An identifier that is not a number gets 500',
    breaks: ['GET-03', 'ROBUST-01'],
    options: breaksOn((text) => !/\d/.test(text)),
    async wire(target) {
      await expectPet(target, 'abc', 500);
    },
  },
  {
    name: 'id-beyond-int64-breaks-the-service',
    title: 'An identifier beyond int64 gets 500',
    breaks: ['GET-03', 'ROBUST-01'],
    options: breaksOn((text) => /^-?\d+$/.test(text) && !isInt64(BigInt(text))),
    async wire(target) {
      await expectPet(target, '9223372036854775808', 500);
    },
  },
  {
    name: 'letters-as-an-id-give-an-empty-answer',
    title: 'An identifier that is not a number gets 200 and an empty object',
    breaks: ['GET-03', 'PET-01'],
    options: withBehaviour(({ getPet }) => ({
      getPet: (request, service) =>
        /^[a-z]+$/i.test(request.petId)
          ? { status: 200, headers: [], content: {} }
          : getPet(request, service),
    })),
    async wire(target) {
      await expectPet(target, 'abc', 200);
    },
  },
  {
    name: 'removed-too-soon',
    title: 'getPet has been removed before its time',
    breaks: ['GET-01', 'GET-04', 'ROBUST-01'],
    options: withBehaviour(() => ({
      getPet() {
        throw new Refusal('removed', 'This operation was removed. List animals instead.');
      },
    })),
    async wire(target) {
      const { id } = await create(target);
      await expectPet(target, id, 410);
    },
  },
  {
    name: 'never-removed',
    title: 'getPet is still served after the day of its removal',
    breaks: ['GET-05'],
    options: {
      now: afterRemoval,
      ...withBehaviour(({ getPet }) => ({
        getPet: (request, service) => getPet({ ...request, at: 0 }, service),
      })),
    },
    async wire(target) {
      const { id } = await create(target);
      const { header } = await expectPet(target, id, 200);
      expectOnWire(
        Date.parse(header('date') ?? '') > Date.UTC(2030, 11, 5),
        'getPet serves after 5 December 2030',
      );
    },
  },
  {
    name: 'fetched-from-the-latest-100',
    title: 'getPet searches only the newest hundred animals',
    breaks: ['GET-01'],
    options: withBehaviour(({ getPet }) => ({
      getPet(request, service) {
        const latest = [...service.store.newestFirst()].slice(0, 100);
        if (latest.some(({ id }) => String(id) === request.petId)) return getPet(request, service);
        throw new Refusal('not-found', 'There is no such animal.', 'petId');
      },
    })),
    async wire(target) {
      const { id } = await create(target);
      await createMany(target, 99);
      await expectPet(target, id, 200);
      await create(target);
      await expectPet(target, id, 404);
    },
  },
];

/** A clock that runs on from ten days after the removal, or from today if that is later. */
function afterRemoval(): number {
  return Math.max(Date.UTC(2030, 11, 15) + (Date.now() - started), Date.now());
}

const started = Date.now();
