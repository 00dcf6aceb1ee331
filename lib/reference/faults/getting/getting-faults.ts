import type { Behaviour } from '../../behaviour.js';
import { withBehaviour, withResponses } from '../../changes.js';
import { canonicalInteger, isInt64, throughDouble } from '../../operations/integers.js';
import type { Fault } from '../fault.js';

/** Finds other animals, or none. */
function finding(find: (found: Behaviour['find']) => Behaviour['find']): Fault['options'] {
  return withBehaviour((behaviour) => ({ find: find(behaviour.find) }));
}

/** Reads a part of a path segment. */
function reading(part: RegExp): Fault['options'] {
  return withBehaviour(({ readPetId }) => ({
    readPetId: (segment) => readPetId(part.exec(segment)?.[0] ?? segment),
  }));
}

/** Responds to a path segment before it is read. */
function onSegment(matches: (text: string) => boolean, respond: Behaviour['getPet']): Fault['options'] {
  return withBehaviour(({ getPet }) => ({
    getPet: (request, service) =>
      matches(request.petId) ? respond(request, service) : getPet(request, service),
  }));
}

/** Which animal getPet finds: GET-01 to GET-05. */
export const gettingFaults: readonly Fault[] = [
  {
    name: 'unknown-animal-remembered',
    title: 'getPet remembers the last identifier that it did not find, even if an animal gets it then',
    breaks: ['GET-01'],
    profile: 'thorough',
    options: finding((find) => {
      let unknown: bigint | undefined;
      return (id, service) => {
        const animal = id === unknown ? undefined : find(id, service);
        // Identifiers that are far from any animal are not worth remembering.
        if (!animal && service.store.find(id - 1n)) unknown = id;
        return animal;
      };
    }),
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
  },
  {
    name: 'path-ids-through-a-double',
    title: 'Identifiers are longer than a double holds, and getPet reads them as one',
    breaks: ['GET-01', 'GET-04'],
    options: withBehaviour(({ readPetId }) => {
      let next = 9_007_199_254_740_993n;
      return {
        assignId: () => (next += 2n),
        readPetId: (text) => throughDouble(readPetId(text)),
      };
    }),
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
  },
  {
    name: 'newest-not-fetched',
    title: 'getPet does not find the newest of more than 100 animals, as pages of a hundred are cut off',
    breaks: ['GET-01'],
    options: finding((find) => (id, service) => {
      const [newest] = service.store.newestFirst();
      return newest?.id === id && service.store.size > 100 ? undefined : find(id, service);
    }),
  },
  {
    name: 'unknown-animal-is-null',
    title: 'getPet responds with 200 and null for an unknown animal',
    breaks: ['GET-02', 'PET-01'],
    options: withResponses((response, { operation, petId }) => {
      const id = canonicalInteger(petId);
      return operation === 'getPet' && response.status === 404 && id !== undefined && isInt64(id)
        ? { ...response, status: 200, content: null }
        : response;
    }),
  },
  {
    name: 'id-minus-1-is-the-newest',
    title: 'getPet of -1 shows the newest animal, as the last of a list',
    breaks: ['GET-02'],
    options: finding(
      (find) => (id, service) => (id === -1n ? [...service.store.newestFirst()][0] : find(id, service)),
    ),
  },
  {
    name: 'ids-read-in-32-bits',
    title: 'getPet reads the last 32 bits of an identifier',
    breaks: ['GET-02'],
    options: finding((find) => (id, service) => find(isInt64(id) ? BigInt.asIntN(32, id) : id, service)),
  },
  {
    name: 'ids-without-sign',
    title: 'getPet ignores the sign of an identifier',
    breaks: ['GET-02'],
    options: finding((find) => (id, service) => find(id < 0n ? -id : id, service)),
  },
  {
    name: 'small-unknown-ids-break-the-service',
    title: 'getPet breaks on an identifier a little beyond the last one, as on an index of a list',
    breaks: ['GET-02', 'ROBUST-01'],
    options: finding((find) => (id, service) => {
      const animal = find(id, service);
      if (!animal && id > 0n && id < 1_000_000n) throw new TypeError('there is no such index');
      return animal;
    }),
  },
  {
    name: 'letters-behind-an-id-ignored',
    title: 'Letters after an identifier are ignored, as by parseInt',
    breaks: ['GET-03'],
    options: reading(/^\d+(?=[A-Za-z])/),
  },
  {
    name: 'fraction-of-an-id-ignored',
    title: 'The fraction of an identifier is cut off',
    breaks: ['GET-03'],
    options: reading(/^\d+(?=\.\d*[1-9])/),
  },
  {
    name: 'id-beyond-int64-breaks-the-service',
    title: 'An identifier beyond int64 gets 500',
    breaks: ['GET-03', 'ROBUST-01'],
    options: onSegment((text) => /^-?\d+$/.test(text) && !isInt64(BigInt(text)), breakDown),
  },
  {
    name: 'constructor-is-an-animal',
    title: 'getPet of the name that every object of JavaScript inherits gets 200 and an empty object',
    breaks: ['GET-03', 'PET-01'],
    options: onSegment(
      (text) => text in {} && text !== '__proto__',
      () => ({ status: 200, headers: [], content: {} }),
    ),
  },
  {
    name: 'proto-breaks-the-service',
    title: 'getPet of __proto__ gets 500',
    breaks: ['GET-03', 'ROBUST-01'],
    options: onSegment((text) => text === '__proto__', breakDown),
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
  },
];

function breakDown(): never {
  throw new TypeError('the identifier could not be converted');
}

/** A clock that runs on from ten days after the removal, or from today if that is later. */
function afterRemoval(): number {
  return Math.max(Date.UTC(2030, 11, 15) + (Date.now() - started), Date.now());
}

const started = Date.now();
