import { bearerKey } from '../../operations/authentication.js';
import type { Behaviour } from '../../behaviour.js';
import { Refusal } from '../../operations/refused-request.js';
import { withBehaviour, withResponses, withRefusals } from '../../changes.js';
import type { Fault } from '../fault.js';
import { create, listed, send, expectOnWire } from '../wire.js';

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
    async wire(target) {
      const { status } = await send(target, { method: 'POST', body: '{}', authorization: null });
      expectOnWire(status === 400, 'an invalid body without a credential gives 400');
    },
  },
  {
    name: 'json-read-before-key',
    title: 'The body is read as JSON before the credential is checked, and validated after it',
    breaks: ['AUTH-05'],
    options: early((request, { behaviour }) => {
      if (request.operation === 'createPet') behaviour.parseBody(behaviour.readBodyText(request));
    }),
    async wire(target) {
      const cutOff = await send(target, { method: 'POST', body: '{"name":', authorization: null });
      const invalid = await send(target, { method: 'POST', body: '{}', authorization: null });
      expectOnWire(
        cutOff.status === 400 && invalid.status === 401,
        'cut-off JSON without a credential gives 400, an empty object 401',
      );
    },
  },
  {
    name: 'animal-sought-before-key',
    title: 'The animal is looked up before the credential is checked',
    breaks: ['AUTH-05'],
    options: early(async (request, service) => {
      if (request.operation === 'getPet') await service.behaviour.getPet(request, service);
    }),
    async wire(target) {
      const { status } = await send(target, { path: '/pets/999999', authorization: null });
      expectOnWire(status === 404, 'an unknown animal without a credential gives 404');
    },
  },
  {
    name: 'limit-checked-before-key',
    title: 'The query is validated before the credential is checked',
    breaks: ['AUTH-05'],
    options: early((request, { behaviour }) => {
      if (request.operation === 'listPets') behaviour.readLimit(request.query.getAll('limit'));
    }),
    async wire(target) {
      const { status } = await send(target, { path: '/pets?limit=101', authorization: null });
      expectOnWire(status === 400, 'a bad limit without a credential gives 400');
    },
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
    async wire(target) {
      const body = '{"name":"Stowaway","categoryId":7}';
      const { status } = await send(target, { method: 'POST', body, authorization: null });
      const { text } = await send(target);
      expectOnWire(
        status === 401 && text.includes('Stowaway'),
        'an animal that was refused with 401 is listed',
      );
    },
  },
  {
    name: '401-without-challenge',
    title: '401 does not carry WWW-Authenticate',
    breaks: ['AUTH-07'],
    options: withBehaviour(() => ({ challenge: () => [] })),
    async wire(target) {
      const { header, status } = await send(target, { authorization: null });
      expectOnWire(status === 401 && header('www-authenticate') === undefined, 'a 401 without a challenge');
    },
  },
  {
    name: '401-challenges-for-basic',
    title: '401 asks for the Basic scheme',
    breaks: ['AUTH-07'],
    options: withBehaviour(() => ({ challenge: () => [['WWW-Authenticate', 'Basic realm="pets"']] })),
    async wire(target) {
      const { header } = await send(target, { authorization: null });
      expectOnWire(header('www-authenticate')?.startsWith('Basic') === true, 'a 401 that asks for Basic');
    },
  },
  {
    name: '401-names-bearer-in-a-realm',
    title: '401 asks for the Basic scheme, with a realm that mentions Bearer',
    breaks: ['AUTH-07'],
    options: withBehaviour(() => ({
      challenge: () => [['WWW-Authenticate', 'Basic realm="pets, Bearer only"']],
    })),
    async wire(target) {
      const { header } = await send(target, { authorization: null });
      expectOnWire(
        header('www-authenticate')?.startsWith('Basic realm="pets, B') === true,
        'a realm that tells of Bearer',
      );
    },
  },
  {
    name: 'wrong-key-without-challenge',
    title: '401 carries WWW-Authenticate if the credential is missing, and not if the key is wrong',
    breaks: ['AUTH-07'],
    options: withBehaviour(({ challenge }) => ({
      challenge: (request) => (request.headers.authorization === undefined ? challenge(request) : []),
    })),
    async wire(target) {
      const { header, status } = await send(target, { authorization: 'Bearer wrong' });
      expectOnWire(
        status === 401 && header('www-authenticate') === undefined,
        'a wrong key without a challenge',
      );
    },
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
    async wire(target) {
      const { status } = await send(target, { authorization: 'Bearer wrong' });
      expectOnWire(status === 403, 'an unknown key gives 403');
    },
  },
  {
    name: '400-for-a-missing-key',
    title: 'A request without a credential gets 400',
    breaks: ['AUTH-01', 'ROBUST-01'],
    options: withRefusals(['unauthorized'], (response, request) =>
      request.headers.authorization === undefined
        ? {
            ...response,
            status: 400,
            content: { code: 'invalid_body', message: 'The key is missing.', status: 400 },
          }
        : response,
    ),
    async wire(target) {
      const { status } = await send(target, { authorization: null });
      expectOnWire(status === 400, 'a missing credential gives 400');
    },
  },
  {
    name: 'login-page-for-guests',
    title: 'A request without a valid key is redirected to a login page',
    breaks: ['AUTH-01', 'AUTH-02', 'AUTH-03', 'AUTH-05', 'ROBUST-01'],
    options: withRefusals(['unauthorized'], () => ({ status: 302, headers: [['Location', '/login']] })),
    async wire(target) {
      const { status } = await send(target, { authorization: null });
      expectOnWire(status === 302, 'a missing credential is redirected');
    },
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
    async wire(target) {
      const { id } = await create(target);
      const { status } = await send(target, { path: `/pets/${id}`, authorization: null });
      expectOnWire(status === 404, 'an existing animal is hidden from guests');
    },
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
    async wire(target) {
      await create(target);
      const { status } = await send(target, { authorization: null });
      expectOnWire(status === 200 && (await listed(target)).length > 0, 'guests get an empty listing');
    },
  },
];
