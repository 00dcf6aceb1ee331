import { bearerKey } from '../../operations/authentication.js';
import type { Behaviour } from '../../behaviour.js';
import { Refusal } from '../../operations/refused-request.js';
import { withBehaviour, withResponses, withRefusals } from '../../changes.js';
import type { Fault } from '../fault.js';

/** Carries out a request, errors included, before its credential is checked. */
function early(
  work: (...parts: Parameters<Behaviour['beforeAuthentication']>) => void | Promise<void>,
): Fault['options'] {
  return withBehaviour(() => ({ beforeAuthentication: work }));
}

/** How a request without a valid key is refused: AUTH-05 to AUTH-07, and other statuses than 401. */
export const unauthorizedFaults: readonly Fault[] = [
  {
    name: 'body-checked-before-key',
    title: 'The body is validated before the credential is checked',
    breaks: ['AUTH-05'],
    options: early((request, service) => {
      if (request.operation !== 'createPet') return;
      const { behaviour } = service;
      behaviour.readNewPet(behaviour.parseBody(behaviour.readBodyText(request)), service);
    }),
  },
  {
    name: 'json-read-before-key',
    title: 'The body is read as JSON before the credential is checked, and validated after it',
    breaks: ['AUTH-05'],
    options: early((request, { behaviour }) => {
      if (request.operation === 'createPet') behaviour.parseBody(behaviour.readBodyText(request));
    }),
  },
  {
    name: 'animal-sought-before-key',
    title: 'The animal is looked up before the credential is checked',
    breaks: ['AUTH-05'],
    options: early(async (request, service) => {
      if (request.operation === 'getPet') await service.behaviour.getPet(request, service);
    }),
  },
  {
    name: 'limit-checked-before-key',
    title: 'The query is validated before the credential is checked',
    breaks: ['AUTH-05'],
    options: early((request, { behaviour }) => {
      if (request.operation === 'listPets') behaviour.readLimit(request.query.getAll('limit'));
    }),
  },
  {
    name: 'refused-creation-stored-on-401',
    title: 'A creation without a valid key gets 401, and stored all the same',
    breaks: ['AUTH-06'],
    options: early(async (request, service) => {
      if (request.operation !== 'createPet' || bearerKey(request.headers.authorization, service.keys)) return;
      try {
        await service.behaviour.createPet(request, service);
      } catch {
        // A body that cannot be stored is refused for its key alone.
      }
    }),
  },
  {
    name: '401-without-challenge',
    title: '401 does not carry WWW-Authenticate',
    breaks: ['AUTH-07'],
    options: withBehaviour(() => ({ challenge: () => [] })),
  },

  {
    name: '401-names-bearer-in-a-realm',
    title: '401 asks for the Basic scheme, with a realm that mentions Bearer',
    breaks: ['AUTH-07'],
    options: withBehaviour(() => ({
      challenge: () => [['WWW-Authenticate', 'Basic realm="pets, Bearer only"']],
    })),
  },
  {
    name: 'wrong-key-without-challenge',
    title: '401 carries WWW-Authenticate if the credential is missing, and not if the key is wrong',
    breaks: ['AUTH-07'],
    options: withBehaviour(({ challenge }) => ({
      challenge: (request) => (request.headers.authorization === undefined ? challenge(request) : []),
    })),
  },
  {
    name: '403-for-a-wrong-key',
    title: 'An unknown key gets 403',
    breaks: ['AUTH-02', 'AUTH-03', 'AUTH-05', 'ROBUST-01'],
    options: withRefusals(['unauthorized'], (response, request) =>
      !/^Bearer +\S/.test(request.headers.authorization ?? '')
        ? response
        : {
            ...response,
            status: 403,
            content: { code: 'forbidden', message: 'The key is not valid.', status: 403 },
          },
    ),
  },

  {
    name: 'login-page-for-guests',
    title: 'A request without a valid key is redirected to a login page',
    breaks: ['AUTH-01', 'AUTH-02', 'AUTH-03', 'AUTH-05', 'ROBUST-01'],
    options: withRefusals(['unauthorized'], () => ({ status: 302, headers: [['Location', '/login']] })),
  },
  {
    name: 'animals-hidden-from-guests',
    title: 'getPet responds with 404 to a request without a valid key, to hide what exists',
    breaks: ['AUTH-01', 'AUTH-02', 'AUTH-03', 'AUTH-05'],
    options: withBehaviour(({ refuse }) => ({
      refuse: (refusal, request, service) =>
        refuse(
          refusal.kind === 'unauthorized' && request.operation === 'getPet'
            ? new Refusal('not-found', 'There is no such animal.')
            : refusal,
          request,
          service,
        ),
    })),
  },
  {
    name: 'guests-see-an-empty-store',
    title: 'listPets responds with 200 and an empty array to a request without a valid key',
    breaks: ['AUTH-01', 'AUTH-02', 'AUTH-03', 'AUTH-05'],
    options: withResponses((response, request) =>
      response.status === 401 && request.operation === 'listPets'
        ? { ...response, status: 200, content: [] }
        : response,
    ),
  },
];
