import * as fc from 'fast-check';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { create, created, createMany, field, listed, send, type WireRequest } from './faults/wire.js';
import type { WireTarget } from './faults/fault.js';
import { referenceKeys } from './keys.js';
import type { ReferenceOptions } from './options.js';
import { serveReference, type ReferenceService } from './serve.js';

const key = referenceKeys.enterprise.key;
let service: ReferenceService;
let target: WireTarget;

beforeAll(async () => {
  service = await serveReference();
  target = { baseUrl: service.baseUrl, key };
});

afterAll(() => service.close());

/** Runs something against a service of its own. */
async function on<Value>(
  options: ReferenceOptions,
  work: (target: WireTarget, service: ReferenceService) => Promise<Value>,
): Promise<Value> {
  const own = await serveReference(options);
  try {
    return await work({ baseUrl: own.baseUrl, key: own.keys.at(-1)?.key ?? '' }, own);
  } finally {
    await own.close();
  }
}

function post(body: string | Uint8Array): WireRequest {
  return { method: 'POST', body };
}

function pet(fields: Readonly<Record<string, string>>): WireRequest {
  const members = Object.entries({ name: '"Rex"', categoryId: '7', ...fields });
  return post(`{${members.map(([name, value]) => `"${name}":${value}`).join(',')}}`);
}

const get = (path: string): WireRequest => ({ path });

const words = (text: string): string[] => text.split(' ');

/** A request of each kind, and a valid one of each operation. */
const requests: readonly WireRequest[] = [
  get('/pets'),
  get('/pets/1'),
  pet({}),
  get('/pets?limit=0'),
  get('/pets/999999'),
  post('{'),
  { method: 'DELETE' },
  get('/nothing'),
];

it.each([
  null,
  'Bearer nobody',
  `Bearer ${key.slice(0, -1)}`,
  `Bearer ${key}x`,
  `Bearer ${key.toUpperCase()}`,
  key,
  `Basic ${key}`,
  `Bearers ${key}`,
  'Bearer',
  `Bearer ${key} ${key}`,
])('the credential %s is refused before everything else, and nothing is stored', async (authorization) => {
  const before = service.animals().length;
  for (const request of requests) {
    const response = await send(target, { ...request, authorization });
    expect(response.status).toBe(401);
    expect(response.header('www-authenticate')).toMatch(/^Bearer\b/);
    expect(response.json()).toMatchObject({ code: 'unauthorized', status: 401 });
  }
  expect(service.animals().length).toBe(before);
});

it.each(['Bearer', 'bearer', 'BEARER'])('the scheme may be spelt %s', async (scheme) => {
  expect((await send(target, { authorization: `${scheme} ${key}` })).status).toBe(200);
});

/** What is refused with an Error body, by the status and the code of the refusal. */
const refused: Readonly<Record<string, readonly WireRequest[]>> = {
  '400 invalid_parameter': words('limit=0 limit=-1 limit=101 limit=abc limit=1.5 limit= status=lost status=')
    .concat('limit=1&limit=2')
    .map((query) => get(`/pets?${query}`)),
  '400 invalid_body': [
    ...words('{ null 7 "Rex" [] [{"name":"Rex","categoryId":7}] {"name":"Rex"} {"categoryId":7}').map(post),
    ...['', '\uFEFF', '['.repeat(100_000)].map(post),
    post('{"name":"Rex","categoryId":7}}'),
    post('{"name":"Rex","name":"Max","categoryId":7}'),
    post(Buffer.from('{"name":"Zo\xeb","categoryId":7}', 'latin1')),
    ...words('7 true null [] {}').map((name) => pet({ name })),
    ...words('"7" true null [7] {} 1.5 1e3 9223372036854775808').map((categoryId) => pet({ categoryId })),
    ...words('"lost" "Sold" "" 7 null ["sold"]').map((status) => pet({ status })),
  ],
  '404 not_found': [
    ...words('999999 9223372036854775807 -1 abc 1.5 1abc 01 +1 9223372036854775808 %20 %F0 1%2F').map(
      (segment) => get(`/pets/${segment}`),
    ),
    ...words('/ /pets/ /pets/1/photos /orders /../pets').map(get),
  ],
  '405 method_not_allowed': [
    { ...pet({}), path: '/pets/1' },
    ...(['PUT', 'PATCH', 'DELETE'] as const).flatMap((method) =>
      ['/pets', '/pets/1'].map((path) => ({ ...pet({}), method, path })),
    ),
  ],
  '413 too_large': [pet({ name: `"${'x'.repeat(1_100_000)}"` })],
};

it.each(Object.entries(refused))('%s changes nothing', async (refusal, refusedRequests) => {
  await create(target);
  const before = service.animals();
  for (const request of refusedRequests) {
    const response = await send(target, request);
    const error = response.json();
    expect([request, `${response.status} ${String(field(error, 'code'))}`]).toEqual([request, refusal]);
    expect([field(error, 'status'), typeof field(error, 'message')]).toEqual([response.status, 'string']);
  }
  expect(service.animals()).toEqual(before);
});

it('pages are full: 20 by default, any limit from 1 to 100, the newest first, filtered by status', async () => {
  await on({}, async (fresh) => {
    await createMany(fresh, 105);
    expect((await listed(fresh)).length).toBe(20);
    for (const limit of [1, 20, 100]) expect((await listed(fresh, `?limit=${limit}`)).length).toBe(limit);
    expect(field((await listed(fresh, '?limit=1&page=2'))[0], 'name')).toBe('Rex 104');
    for (const status of ['sold', 'pending', 'sold']) await create(fresh, { status });
    const statuses = (await listed(fresh, '?status=sold&limit=5')).map((animal) => field(animal, 'status'));
    expect(statuses).toEqual(['sold', 'sold']);
  });
});

it('every name and every category of 64 bits is kept exactly, in all three places', async () => {
  const int64 = fc.oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.constantFrom(0n, 9_007_199_254_740_993n, 2n ** 63n - 1n, -(2n ** 63n)),
  );
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), int64, async (name, categoryId) => {
      const text = `{"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"sold"}`;
      const pet = await created(target, text);
      expect(pet.status).toBe(201);
      const shown = `{"id":${pet.id},${text.slice(1)}`;
      expect(pet.text).toBe(shown);
      expect((await send(target, { path: `/pets/${pet.id}` })).text).toBe(shown);
      expect((await send(target, { path: '/pets?limit=1' })).text).toBe(`[${shown}]`);
    }),
    { numRuns: 25 },
  );
});

it('getPet announces its deprecation on every response, and the others never do', async () => {
  await create(target);
  for (const authorization of [`Bearer ${key}`, null])
    for (const request of requests) {
      const { header } = await send(target, { ...request, authorization });
      const isGetPet = request.path?.startsWith('/pets/') === true;
      expect([header('deprecation'), header('sunset')]).toEqual(
        isGetPet ? ['@1690000000', 'Thu, 05 Dec 2030 00:00:00 GMT'] : [undefined, undefined],
      );
    }
});

it('getPet is removed from 5 December 2030 on, to the millisecond', async () => {
  let now = Date.UTC(2030, 11, 5) - 1;
  await on({ now: () => now }, async (fresh) => {
    const { id } = await create(fresh);
    expect((await send(fresh, { path: `/pets/${id}` })).status).toBe(200);
    now += 1;
    const gone = await send(fresh, { path: `/pets/${id}` });
    expect([gone.status, field(gone.json(), 'status')]).toEqual([410, 410]);
  });
});

describe('the limits', () => {
  it('are told by every response, once, and Remaining falls by one', async () => {
    const now = Date.UTC(2026, 0, 1, 12, 0, 20, 250);
    await on({ now: () => now, keys: [referenceKeys.free] }, async (fresh) => {
      for (const [place, request] of requests.entries()) {
        const { headers } = await send(fresh, request);
        expect(headers('x-ratelimit-limit')).toEqual(['60']);
        expect(headers('x-ratelimit-remaining')).toEqual([String(59 - place)]);
        expect(headers('x-ratelimit-reset')).toEqual([String(Date.UTC(2026, 0, 1, 12, 1) / 1000)]);
        expect(headers('date')).toEqual(['Thu, 01 Jan 2026 12:00:20 GMT']);
      }
      const guest = await send(fresh, { authorization: null });
      expect(guest.header('x-ratelimit-remaining')).toBe('59');
    });
  });

  it('refuse what goes over the minute, store nothing of it, and admit again after Retry-After', async () => {
    let now = Date.UTC(2026, 0, 1, 12, 0, 20, 250);
    await on({ now: () => now, keys: [referenceKeys.free] }, async (fresh, { animals }) => {
      await createMany(fresh, 60);
      const rejected = await create(fresh);
      expect(rejected.status).toBe(429);
      expect(rejected.header('retry-after')).toBe('40');
      expect(rejected.header('x-ratelimit-remaining')).toBe('0');
      expect(rejected.json()).toMatchObject({ code: 'rate_limited', status: 429 });
      expect(animals().length).toBe(60);
      expect((await send(fresh, { authorization: null })).status).toBe(401);
      now += 40_000;
      expect((await create(fresh)).status).toBe(201);
    });
  });

  it('take windows of other lengths', async () => {
    let now = Date.UTC(2026, 0, 1);
    const keys = [{ key: 'pets_tiny_Aq2Wz', perMinute: 2, perDay: 3 }];
    await on({ now: () => now, keys, windowMs: 1_000, dayMs: 10_000 }, async (fresh) => {
      const statuses: number[] = [];
      for (const wait of [0, 0, 0, 1_000, 0, 1_000, 8_000]) {
        now += wait;
        statuses.push((await send(fresh)).status);
      }
      expect(statuses).toEqual([200, 200, 429, 200, 429, 429, 200]);
    });
  });
});

describe('the service as a server', () => {
  it('counts requests, holds the animals it is given, and ends its base address with the version', async () => {
    const animals = [{ name: 'Rex', categoryId: 7n }];
    await on({ animals, keys: [referenceKeys.pro] }, async (fresh, { requestCount }) => {
      expect(fresh.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
      expect(await listed(fresh)).toEqual([{ id: 1, name: 'Rex', categoryId: 7 }]);
      expect(requestCount()).toBe(1);
    });
  });

  it('closes at once though a connection is open, and more than once', async () => {
    const own = await serveReference();
    await send({ baseUrl: own.baseUrl, key });
    await own.close();
    await own.close();
    await expect(send({ baseUrl: own.baseUrl, key })).rejects.toThrow(/ECONNREFUSED/);
  });

  it('does not start without a key, or on a port that is taken', async () => {
    const port = Number(new URL(service.baseUrl).port);
    await expect(serveReference({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await expect(serveReference({ keys: [] })).rejects.toThrow(RangeError);
  });

  it('outlives a client that breaks off in the middle of a body', async () => {
    const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.write('POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"name":');
    await new Promise((resolve) => setTimeout(resolve, 20));
    socket.destroy();
    expect((await send(target)).status).toBe(200);
  });
});
