import { setTimeout as delay } from 'node:timers/promises';
import { withBehaviour } from '../../changes.js';
import type { ServiceResponse, ServiceRequest } from '../../http-message.js';
import { Refusal } from '../../operations/refused-request.js';
import type { Fault, WireTarget } from '../fault.js';
import { send, expectOnWire, type WireRequest } from '../wire.js';

/** Milliseconds that a request takes, so that others come while it is served. */
const serviceMs = 60;

interface Crowd extends Pick<Fault, 'name' | 'title'> {
  /** Requests that are served at the same time. */
  readonly most: number;
  /** What the others get. */
  readonly otherwise: (response: ServiceResponse) => ServiceResponse;
  readonly counts?: (request: ServiceRequest) => boolean;
  /** A request that counts; by default a listing. */
  readonly looked?: WireRequest;
}

/** Serves so many requests at a time, and no more. */
function crowded({ name, title, most, otherwise, counts = () => true, looked = {} }: Crowd): Fault {
  return {
    name,
    title,
    breaks: ['ROBUST-01'],
    options: withBehaviour(({ authenticate, finish }) => {
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
          return served.delete(request) ? done : otherwise(done);
        },
      };
    }),
    wire: (target) => expectSomeLost(target, looked),
  };
}

/** On a busy machine not all of them are under way at the same moment. */
const manyAtOnce = 40;

async function expectSomeLost(target: WireTarget, request: WireRequest): Promise<void> {
  const results = await Promise.all(
    Array.from({ length: manyAtOnce }, () =>
      send(target, request).then(
        ({ status }) => status < 300,
        () => false,
      ),
    ),
  );
  expectOnWire(
    results.includes(true) && results.includes(false),
    `some of ${manyAtOnce} requests at once are lost`,
  );
}

function unavailable(response: ServiceResponse): ServiceResponse {
  const content = { code: 'unavailable', message: 'Try again.', status: 503 };
  return { ...response, status: 503, content };
}

/** What shows only if several requests are under way: ROBUST-01. */
export const loadFaults: readonly Fault[] = [
  crowded({
    name: 'six-at-a-time',
    title: 'More than six requests at a time get 503',
    most: 6,
    otherwise: unavailable,
  }),
  crowded({
    name: 'nine-at-a-time',
    title: 'More than nine requests at a time get 503',
    most: 9,
    otherwise: unavailable,
  }),
  crowded({
    name: 'two-creations-at-a-time',
    title: 'More than two creations at a time get 502',
    most: 2,
    otherwise: (response) => ({ ...unavailable(response), status: 502 }),
    counts: ({ operation }) => operation === 'createPet',
    looked: { method: 'POST', body: '{"name":"Rex","categoryId":7}' },
  }),
  crowded({
    name: 'connections-cut-under-load',
    title: 'The connection is cut if more than five requests are under way',
    most: 5,
    otherwise: (response) => ({ ...response, drop: true }),
  }),
  crowded({
    name: 'gateway-gives-up-under-load',
    title: 'With more than eight requests at a time, the others get 504',
    most: 8,
    otherwise: (response) => ({ ...unavailable(response), status: 504 }),
  }),
];
