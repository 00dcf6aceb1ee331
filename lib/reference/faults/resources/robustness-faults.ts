import type { ServiceResponse, ServiceRequest } from '../../http-message.js';
import type { Service } from '../../behaviour.js';
import { canonicalInteger } from '../../operations/integers.js';
import { Refusal } from '../../operations/refused-request.js';
import { dateHeader, writeHead } from '../../send-response.js';
import { withBehaviour, withResponses } from '../../changes.js';
import type { Fault } from '../fault.js';
import { create, field, listed, send, expectOnWire, type WireRequest } from '../wire.js';

/** Throws an exception that nobody catches if a request matches. */
function breaksOn(
  operation: 'listPets' | 'createPet',
  matches: (request: ServiceRequest) => boolean,
): Fault['options'] {
  return withBehaviour((behaviour) => ({
    [operation](request: ServiceRequest, service: Service) {
      if (matches(request)) throw new TypeError('unexpected input');
      return behaviour[operation](request, service);
    },
  }));
}

/** Serves, on the path of an animal, a method that the specification does not list. */
function serves(
  method: string,
  serve: (
    id: bigint,
    request: ServiceRequest,
    service: Service,
  ) => ServiceResponse | Promise<ServiceResponse>,
): Fault['options'] {
  return withBehaviour(({ unlisted }) => ({
    unlisted(request, service) {
      const id = canonicalInteger(/\/pets\/([^/]+)$/.exec(request.path)?.[1] ?? '');
      return request.method === method && id !== undefined
        ? serve(id, request, service)
        : unlisted(request, service);
    },
  }));
}

const done: ServiceResponse = { status: 204, headers: [] };

function expectBroken(request: WireRequest, what: string): Fault['wire'] {
  return async (target) => {
    expectOnWire((await send(target, request)).status === 500, what);
  };
}

export const robustnessFaults: readonly Fault[] = [
  {
    name: 'long-limit-breaks-the-service',
    title: 'A limit beyond 32 bits gets 500',
    breaks: ['ROBUST-01'],
    options: breaksOn('listPets', ({ query }) => Number(query.get('limit')) > 2_147_483_647),
    wire: expectBroken({ path: '/pets?limit=2147483648' }, 'a long limit gives 500'),
  },
  {
    name: 'unknown-status-filter-breaks-the-service',
    title: 'A status outside the enumeration gets 500 by the listing',
    breaks: ['ROBUST-01'],
    options: breaksOn('listPets', ({ query }) => query.get('status') === 'sleeping'),
    wire: expectBroken({ path: '/pets?status=sleeping' }, 'an unknown status gives 500'),
  },
  {
    name: 'letters-as-limit-break-the-service',
    title: 'A limit that is not a number gets 500',
    breaks: ['ROBUST-01'],
    options: breaksOn('listPets', ({ query }) => /[a-z]/i.test(query.get('limit') ?? '')),
    wire: expectBroken({ path: '/pets?limit=abc' }, 'letters as a limit give 500'),
  },
  {
    name: 'empty-name-breaks-the-service',
    title: 'An empty name gets 500',
    breaks: ['ROBUST-01'],
    options: breaksOn('createPet', ({ body }) => /"name"\s*:\s*""/.test(Buffer.from(body).toString())),
    wire: expectBroken({ method: 'POST', body: '{"name":"","categoryId":7}' }, 'an empty name gives 500'),
  },
  {
    name: 'connection-dropped-on-a-bad-limit',
    title: 'The connection is cut on a limit that is not a number',
    breaks: ['ROBUST-01'],
    options: withResponses((response, { query }) =>
      /[a-z]/i.test(query.get('limit') ?? '') ? { ...response, drop: true } : response,
    ),
    async wire(target) {
      const dropped = await send(target, { path: '/pets?limit=abc' }).then(
        () => false,
        () => true,
      );
      expectOnWire(dropped, 'the connection is cut');
    },
  },
  {
    name: 'answer-broken-off-on-a-bad-limit',
    title: 'The response to a limit that is not a number is cut off',
    breaks: ['ROBUST-01'],
    options: withBehaviour(({ transmit }) => ({
      transmit(response, request, outgoing, service) {
        if (!/[a-z]/i.test(request.query.get('limit') ?? ''))
          return transmit(response, request, outgoing, service);
        writeHead(outgoing, response, [['Content-Length', '1000'], dateHeader(service)]);
        outgoing.write('{"code":', () => outgoing.destroy());
        return undefined;
      },
    })),
    async wire(target) {
      const broken = await send(target, { path: '/pets?limit=abc' }).then(
        () => false,
        () => true,
      );
      expectOnWire(broken, 'the answer breaks off');
    },
  },
  {
    name: 'put-replaces-animals',
    title: 'PUT on an animal replaces it',
    breaks: ['ROBUST-02'],
    options: serves('PUT', (id, request, service) => {
      const { behaviour, store } = service;
      const newPet = behaviour.readNewPet(behaviour.parseBody(behaviour.readBodyText(request)), service);
      if (!store.replace({ ...newPet, id, createdAt: request.at }))
        throw new Refusal('not-found', 'No such animal.');
      return { status: 200, headers: [], content: { id, ...newPet } };
    }),
    async wire(target) {
      const { id } = await create(target);
      const body = '{"name":"Max","categoryId":8}';
      const { status } = await send(target, { method: 'PUT', path: `/pets/${id}`, body });
      const { text } = await send(target, { path: `/pets/${id}` });
      expectOnWire(status === 200 && text.includes('Max'), 'PUT replaces an animal');
    },
  },
  {
    name: 'patch-changes-animals',
    title: 'PATCH on an animal sells it',
    breaks: ['ROBUST-02'],
    options: serves('PATCH', (id, _asked, { store }) => {
      const animal = store.find(id);
      if (!animal) throw new Refusal('not-found', 'No such animal.');
      store.replace({ ...animal, status: 'sold' });
      return done;
    }),
    async wire(target) {
      const { id } = await create(target);
      await send(target, { method: 'PATCH', path: `/pets/${id}`, body: '{"status":"sold"}' });
      expectOnWire(
        (await send(target, { path: `/pets/${id}` })).text.includes('sold'),
        'PATCH changes an animal',
      );
    },
  },
  {
    name: 'delete-removes-animals',
    title: 'DELETE on an animal removes it',
    breaks: ['ROBUST-02'],
    options: serves('DELETE', (id, _asked, { store }) => {
      if (!store.remove(id)) throw new Refusal('not-found', 'No such animal.');
      return done;
    }),
    async wire(target) {
      const { id } = await create(target);
      const { status } = await send(target, { method: 'DELETE', path: `/pets/${id}` });
      expectOnWire(status === 204, 'DELETE removes an animal');
    },
  },
  {
    name: 'delete-refused-and-done',
    title: 'DELETE on an animal gets 405, and removes it all the same',
    breaks: ['ROBUST-02'],
    options: serves('DELETE', (id, _asked, { store }) => {
      store.remove(id);
      throw new Refusal('method-not-allowed', 'This resource allows GET.', 'GET');
    }),
    async wire(target) {
      const { id } = await create(target);
      await send(target, { method: 'DELETE', path: `/pets/${id}` });
      expectOnWire(
        (await send(target, { path: `/pets/${id}` })).status === 404,
        'a refused DELETE removes an animal',
      );
    },
  },
  {
    name: 'put-refused-and-half-done',
    title: 'PUT on an animal gets 405, and changes its category all the same',
    breaks: ['ROBUST-02'],
    options: serves('PUT', (id, _asked, { store }) => {
      const animal = store.find(id);
      if (animal) store.replace({ ...animal, categoryId: animal.categoryId + 1n });
      throw new Refusal('method-not-allowed', 'This resource allows GET.', 'GET');
    }),
    async wire(target) {
      const { id } = await create(target);
      const { status } = await send(target, { method: 'PUT', path: `/pets/${id}`, body: '{}' });
      const { json } = await send(target, { path: `/pets/${id}` });
      expectOnWire(status === 405 && field(json(), 'categoryId') === 8, 'a refused PUT changes an animal');
    },
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
    async wire(target) {
      const { status } = await send(target, { method: 'PUT', body: '{"name":"Cuckoo","categoryId":7}' });
      expectOnWire(status === 405 && (await listed(target)).length === 1, 'what was refused is stored');
    },
  },
  {
    name: 'post-on-an-animal-answered-200',
    title: 'POST on an animal gets 200',
    breaks: ['ROBUST-02'],
    options: serves('POST', () => ({ status: 200, headers: [], content: {} })),
    async wire(target) {
      const { id } = await create(target);
      const { status } = await send(target, { method: 'POST', path: `/pets/${id}`, body: '{}' });
      expectOnWire(status === 200, 'POST on an animal gives 200');
    },
  },
  {
    name: 'unlisted-methods-break-the-service',
    title: 'Methods that are not listed get 500',
    breaks: ['ROBUST-02'],
    options: withBehaviour(() => ({
      unlisted() {
        throw new TypeError('no handler');
      },
    })),
    wire: expectBroken({ method: 'DELETE' }, 'an unlisted method gives 500'),
  },
  {
    name: 'unlisted-methods-cut-the-connection',
    title: 'The connection is cut instead of refusing a method that is not listed',
    breaks: ['ROBUST-02'],
    options: withBehaviour(() => ({ unlisted: () => ({ status: 405, headers: [], drop: true }) })),
    async wire(target) {
      const cut = await send(target, { method: 'DELETE' }).then(
        () => false,
        () => true,
      );
      expectOnWire(cut, 'an unlisted method gets no response');
    },
  },
  {
    name: 'delete-cuts-the-connection',
    title: 'The connection is cut instead of refusing DELETE on an animal',
    breaks: ['ROBUST-02'],
    options: serves('DELETE', () => ({ status: 405, headers: [], drop: true })),
    async wire(target) {
      const { id } = await create(target);
      const cut = await send(target, { method: 'DELETE', path: `/pets/${id}` }).then(
        () => false,
        () => true,
      );
      expectOnWire(cut, 'DELETE on an animal gets no response');
    },
  },
  {
    name: 'version-missing-from-the-address',
    title: 'The service is at /api instead of /v1',
    breaks: ['VERSION-01'],
    options: { version: 'api' },
    async wire(target) {
      expectOnWire(
        target.baseUrl.endsWith('/api') && (await send(target)).status === 200,
        'the service lies under /api',
      );
    },
  },
  {
    name: 'version-2',
    title: 'The service is at /v2 instead of /v1',
    breaks: ['VERSION-01'],
    options: { version: 'v2' },
    async wire(target) {
      expectOnWire(
        target.baseUrl.endsWith('/v2') && (await send(target)).status === 200,
        'the service lies under /v2',
      );
    },
  },
];
