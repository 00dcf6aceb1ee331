import { setTimeout as delay } from 'node:timers/promises';
import type { Service } from '../../behaviour.js';
import { withBehaviour, withResponses } from '../../changes.js';
import type { ServiceResponse, ServiceRequest } from '../../http-message.js';
import { canonicalInteger } from '../../operations/integers.js';
import { Refusal } from '../../operations/refused-request.js';
import type { Fault } from '../fault.js';

/** Milliseconds that a request takes, so that others come while it is served. */
const serviceMs = 60;

/** Serves so many requests of those that count at a time; others get an error. */
function atATime(
  most: number,
  status: number,
  counts: (request: ServiceRequest) => boolean,
): Fault['options'] {
  return withBehaviour(({ authenticate, finish }) => {
    const served = new Set<ServiceRequest>();
    return {
      authenticate(authorization, service, request) {
        if (counts(request) && served.size < most) served.add(request);
        return authenticate(authorization, service, request);
      },
      beforeAuthentication(request) {
        if (counts(request) && !served.has(request)) throw new Refusal('internal', 'Too many at a time.');
      },
      async finish(response, request, service) {
        if (!counts(request)) return finish(response, request, service);
        await delay(serviceMs);
        const done = await finish(response, request, service);
        const content = { code: 'unavailable', message: 'Try again.', status: 503 };
        return served.delete(request) ? done : { ...done, status, content };
      },
    };
  });
}

/** Serves, on the path of an animal, a method that the specification does not list. */
function serving(method: string, serve: (id: bigint, service: Service) => ServiceResponse): Fault['options'] {
  return withBehaviour(({ unlisted }) => ({
    unlisted(request, service) {
      const id = canonicalInteger(/\/pets\/([^/]+)$/.exec(request.path)?.[1] ?? '');
      return request.method === method && id !== undefined ? serve(id, service) : unlisted(request, service);
    },
  }));
}

/** What a service does with unusual requests, and with many at a time: ROBUST-01, ROBUST-02, VERSION-01. */
export const robustnessFaults: readonly Fault[] = [
  {
    name: 'connection-dropped-on-a-bad-limit',
    title: 'The connection is cut on a limit that is not a number',
    breaks: ['ROBUST-01'],
    options: withResponses((response, { query }) =>
      /[a-z]/i.test(query.get('limit') ?? '') ? { ...response, drop: true } : response,
    ),
  },
  {
    name: 'six-at-a-time',
    title: 'More than six requests at a time get 503',
    breaks: ['ROBUST-01'],
    options: atATime(6, 503, () => true),
  },
  {
    name: 'two-creations-at-a-time',
    title: 'More than two creations at a time get 502',
    breaks: ['ROBUST-01'],
    options: atATime(2, 502, ({ operation }) => operation === 'createPet'),
  },
  {
    name: 'patch-changes-animals',
    title: 'PATCH on an animal sells it',
    breaks: ['ROBUST-02'],
    options: serving('PATCH', (id, { store }) => {
      const animal = store.find(id);
      if (!animal) throw new Refusal('not-found', 'No such animal.');
      store.replace({ ...animal, status: 'sold' });
      return { status: 204, headers: [] };
    }),
  },
  {
    name: 'delete-refused-and-done',
    title: 'DELETE on an animal gets 405, and removes it all the same',
    breaks: ['ROBUST-02'],
    options: serving('DELETE', (id, { store }) => {
      store.remove(id);
      throw new Refusal('method-not-allowed', 'This resource allows GET.', 'GET');
    }),
  },
  {
    name: 'unlisted-methods-refused-and-stored',
    title: 'PUT on the store gets 405, and adds an animal all the same',
    breaks: ['ROBUST-02'],
    options: withBehaviour(({ unlisted }) => ({
      async unlisted(request, service) {
        if (request.method === 'PUT' && request.path.endsWith('/pets'))
          await service.behaviour.createPet(request, service);
        return unlisted(request, service);
      },
    })),
  },
  {
    name: 'post-on-an-animal-answered-200',
    title: 'POST on an animal gets 200',
    breaks: ['ROBUST-02'],
    options: serving('POST', () => ({ status: 200, headers: [], content: {} })),
  },
  {
    name: 'delete-cuts-the-connection',
    title: 'The connection is cut instead of refusing DELETE on an animal',
    breaks: ['ROBUST-02'],
    options: serving('DELETE', () => ({ status: 405, headers: [], drop: true })),
  },
  {
    name: 'version-missing-from-the-address',
    title: 'The service is at /api instead of /v1',
    breaks: ['VERSION-01'],
    options: { version: 'api' },
  },
];
