import * as fc from 'fast-check';
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

async function statusOf(request: WireRequest): Promise<number> {
  return (await send(target, request)).status;
}

/** The three operations, one request each. */
const operations: readonly WireRequest[] = [
  { path: '/pets' },
  { path: '/pets/1' },
  { method: 'POST', body: '{"name":"Rex","categoryId":7}' },
];

describe('authentication', () => {
  it.each([
    ['no credential', null],
    ['an unknown key', 'Bearer nobody'],
    ['a key cut short', `Bearer ${key.slice(0, -1)}`],
    ['a key prolonged', `Bearer ${key}x`],
    ['a key in another case', `Bearer ${key.toUpperCase()}`],
    ['the bare key', key],
    ['another scheme', `Basic ${key}`],
    ['a longer scheme', `Bearers ${key}`],
    ['a scheme alone', 'Bearer'],
    ['two keys', `Bearer ${key} ${key}`],
  ])('refuses %s on every operation, and names the scheme', async (_case, authorization) => {
    for (const request of operations) {
      const response = await send(target, { ...request, authorization });
      expect(response.status).toBe(401);
      expect(response.header('www-authenticate')).toMatch(/^Bearer\b/);
      expect(response.json()).toMatchObject({ code: 'unauthorized', status: 401 });
    }
  });

  it.each(['Bearer', 'bearer', 'BEARER'])('takes the scheme spelt %s', async (scheme) => {
    expect(await statusOf({ authorization: `${scheme} ${key}` })).toBe(200);
  });

  it('comes before everything else', async () => {
    for (const request of [
      { path: '/pets?limit=0' },
      { path: '/pets/999999' },
      { method: 'POST', body: '{' } as const,
      { method: 'DELETE' } as const,
      { path: '/nothing' },
    ]) {
      expect(await statusOf({ ...request, authorization: null })).toBe(401);
    }
  });

  it('stores nothing of a creation that it refused', async () => {
    await on({}, async (fresh, { animals }) => {
      await send(fresh, { method: 'POST', body: '{"name":"Rex","categoryId":7}', authorization: null });
      expect(animals()).toEqual([]);
    });
  });
});

describe('listPets', () => {
  it('gives full pages: 20 by default, any limit from 1 to 100, the newest first', async () => {
    await on({}, async (fresh) => {
      await createMany(fresh, 105);
      expect((await listed(fresh)).length).toBe(20);
      for (const limit of [1, 2, 20, 99, 100])
        expect((await listed(fresh, `?limit=${limit}`)).length).toBe(limit);
      expect(field((await listed(fresh, '?limit=1'))[0], 'name')).toBe('Rex 104');
    });
  });

  it('filters by status, together with a limit', async () => {
    await on({}, async (fresh) => {
      for (const status of ['sold', 'available', 'sold', 'pending', 'sold']) await create(fresh, { status });
      const statuses = async (query: string): Promise<unknown[]> =>
        (await listed(fresh, query)).map((animal) => field(animal, 'status'));
      expect(await statuses('?status=sold')).toEqual(['sold', 'sold', 'sold']);
      expect(await statuses('?status=sold&limit=2')).toEqual(['sold', 'sold']);
      expect(await statuses('?status=pending')).toEqual(['pending']);
    });
  });

  it.each([
    'limit=0',
    'limit=-1',
    'limit=101',
    'limit=abc',
    'limit=1.5',
    'limit=',
    'limit=1&limit=2',
    'status=lost',
    'status=',
  ])('refuses %s with 400', async (query) => {
    expect(await statusOf({ path: `/pets?${query}` })).toBe(400);
  });

  it('ignores parameters that it does not know', async () => {
    expect(await statusOf({ path: '/pets?page=2' })).toBe(200);
  });
});

describe('createPet', () => {
  it('keeps every name and every category of 64 bits exactly, in all three places', async () => {
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
      { numRuns: 100 },
    );
  });

  it.each([
    '',
    '{',
    'null',
    '7',
    '"Rex"',
    '[]',
    '[{"name":"Rex","categoryId":7}]',
    '{"name":"Rex","categoryId":7}}',
    '\uFEFF',
  ])('refuses the body %j', async (body) => {
    expect(await statusOf({ method: 'POST', body })).toBe(400);
  });

  it('refuses a body that is no UTF-8, nests too deep, or says two things of one field', async () => {
    const send = async (body: string | Uint8Array): Promise<number> =>
      (
        await fetch(`${target.baseUrl}/pets`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: Buffer.from(body),
        })
      ).status;
    expect(await send(Buffer.from('{"name":"Zo\xeb","categoryId":7}', 'latin1'))).toBe(400);
    expect(await send('['.repeat(100_000))).toBe(400);
    expect(await send('{"name":"Rex","name":"Max","categoryId":7}')).toBe(400);
    expect(await send(`{"name":"${'x'.repeat(1_100_000)}","categoryId":7}`)).toBe(413);
  });

  it.each([
    ['name', [undefined, 7, true, null, [], {}]],
    [
      'categoryId',
      [
        undefined,
        '7',
        true,
        null,
        [7],
        {},
        1.5,
        '"raw 9223372036854775808"',
        '"raw -9223372036854775809"',
        '"raw 1e3"',
      ],
    ],
    ['status', ['lost', 'Sold', ' sold', '', 7, null, ['sold']]],
  ])('refuses a bad %s with 400 and stores nothing', async (name, values) => {
    const before = service.animals().length;
    for (const value of values) {
      const fields = { name: 'Rex', categoryId: 7, status: 'sold', [name]: value };
      const text = JSON.stringify(fields).replace(/"\\"raw (\S+)\\""/, '$1');
      const response = await created(target, text);
      expect([text, response.status]).toEqual([text, 400]);
      expect(response.json()).toMatchObject({ code: 'invalid_body', status: 400 });
    }
    expect(service.animals().length).toBe(before);
  });

  it('refuses another Content-Type with 415, and takes a body without one for JSON', async () => {
    const post = async (type: string | undefined): Promise<number> => {
      const body = new Blob(['{"name":"Rex","categoryId":7}']);
      const headers = {
        authorization: `Bearer ${key}`,
        ...(type === undefined ? {} : { 'content-type': type }),
      };
      return (await fetch(`${target.baseUrl}/pets`, { method: 'POST', headers, body })).status;
    };
    expect(await post('text/plain')).toBe(415);
    expect(await post('application/json; charset=utf-8')).toBe(201);
    expect(await post(undefined)).toBe(201);
  });

  it('assigns identifiers of its own, each once, also in a burst', async () => {
    const known = await create(target, { id: 4711 });
    expect(known.id).not.toBe('4711');
    const burst = await Promise.all(
      Array.from({ length: 50 }, () => create(target, { id: Number(known.id) })),
    );
    expect(new Set(burst.map(({ id }) => id)).size).toBe(50);
    expect(burst.some(({ id }) => id === known.id)).toBe(false);
  });
});

describe('getPet', () => {
  it.each([
    '999999',
    '9223372036854775807',
    '-1',
    'abc',
    '1.5',
    '1abc',
    '01',
    '+1',
    '9223372036854775808',
    '%20',
    '%F0',
    '1%2F',
  ])('answers 404 to %s', async (segment) => {
    await create(target);
    const response = await send(target, { path: `/pets/${segment}` });
    expect(response.status).toBe(404);
    expect(response.json()).toMatchObject({ code: 'not_found', status: 404 });
  });

  it('announces its deprecation on every response, and the others never do', async () => {
    const { id } = await create(target);
    for (const path of [`/pets/${id}`, '/pets/999999', '/pets/abc']) {
      for (const authorization of [`Bearer ${key}`, null]) {
        const { header } = await send(target, { path, authorization });
        expect(header('deprecation')).toBe('@1690000000');
        expect(header('sunset')).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
      }
    }
    for (const request of [
      {},
      { path: '/pets?limit=0' },
      { method: 'POST', body: '{}' },
    ] satisfies WireRequest[]) {
      const { header } = await send(target, request);
      expect([header('deprecation'), header('sunset')]).toEqual([undefined, undefined]);
    }
  });

  it('is removed from 5 December 2030 on, to the millisecond', async () => {
    let now = Date.UTC(2030, 11, 5) - 1;
    await on({ now: () => now }, async (fresh) => {
      const { id } = await create(fresh);
      expect((await send(fresh, { path: `/pets/${id}` })).status).toBe(200);
      now += 1;
      const gone = await send(fresh, { path: `/pets/${id}` });
      expect(gone.status).toBe(410);
      expect(gone.json()).toMatchObject({ status: 410 });
    });
  });
});

describe('what the specification does not list', () => {
  it('is refused with 405 or 404, and changes nothing', async () => {
    const { id, text } = await create(target);
    const before = service.animals().length;
    for (const method of ['PUT', 'PATCH', 'DELETE'] as const) {
      expect(await statusOf({ method, body: '{"name":"Max"}' })).toBe(405);
      expect(await statusOf({ method, path: `/pets/${id}`, body: '{"name":"Max"}' })).toBe(405);
    }
    const posted = await send(target, {
      method: 'POST',
      path: `/pets/${id}`,
      body: '{"name":"Max","categoryId":1}',
    });
    expect([posted.status, posted.header('allow')]).toEqual([405, 'GET']);
    for (const path of ['/', '/pets/', `/pets/${id}/photos`, '/orders', '/../pets']) {
      expect(await statusOf({ path })).toBe(404);
    }
    expect((await send(target, { path: `/pets/${id}` })).text).toBe(text);
    expect(service.animals().length).toBe(before);
  });
});

describe('rate-limit headers and limits', () => {
  it('are on every response, once, and Remaining falls by one', async () => {
    const now = Date.UTC(2026, 0, 1, 12, 0, 20, 250);
    await on({ now: () => now, keys: [referenceKeys.free] }, async (fresh) => {
      const asks: WireRequest[] = [
        {},
        { path: '/pets?limit=0' },
        { path: '/pets/1' },
        { method: 'POST', body: '{}' },
        { method: 'DELETE' },
        { path: '/nothing' },
      ];
      for (const [place, request] of asks.entries()) {
        const response = await send(fresh, request);
        expect(response.headers('x-ratelimit-limit')).toEqual(['60']);
        expect(response.headers('x-ratelimit-remaining')).toEqual([String(59 - place)]);
        expect(response.headers('x-ratelimit-reset')).toEqual([String(Date.UTC(2026, 0, 1, 12, 1) / 1000)]);
        expect(response.headers('date')).toEqual(['Thu, 01 Jan 2026 12:00:20 GMT']);
      }
      const guest = await send(fresh, { authorization: null });
      expect(guest.header('x-ratelimit-remaining')).toBe('59');
    });
  });

  it('refuse what goes over the minute, store nothing of it, and admit again after Retry-After', async () => {
    let now = Date.UTC(2026, 0, 1, 12, 0, 20, 250);
    await on({ now: () => now, keys: [referenceKeys.free] }, async (fresh, { animals, requestCount }) => {
      await createMany(fresh, 60);
      const refused = await create(fresh);
      expect(refused.status).toBe(429);
      expect(refused.header('retry-after')).toBe('40');
      expect(refused.header('x-ratelimit-remaining')).toBe('0');
      expect(refused.json()).toMatchObject({ code: 'rate_limited', status: 429 });
      expect(animals().length).toBe(60);
      expect(requestCount()).toBe(61);
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
    await on(
      { animals: [{ name: 'Rex', categoryId: 7n }], keys: [referenceKeys.pro] },
      async (fresh, { requestCount }) => {
        expect(fresh.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
        expect(await listed(fresh)).toEqual([{ id: 1, name: 'Rex', categoryId: 7 }]);
        expect(requestCount()).toBe(1);
      },
    );
  });

  it('closes at once though a connection is open, and more than once', async () => {
    const own = await serveReference();
    await send({ baseUrl: own.baseUrl, key });
    await own.close();
    await own.close();
    await expect(send({ baseUrl: own.baseUrl, key })).rejects.toThrow(/ECONNREFUSED/);
  });

  it('says where a port is taken', async () => {
    const port = Number(new URL(service.baseUrl).port);
    await expect(serveReference({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('needs a key', async () => {
    await expect(serveReference({ keys: [] })).rejects.toThrow(RangeError);
  });

  it('outlives a client that breaks off in the middle of a body', async () => {
    const { connect } = await import('node:net');
    const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.write('POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"name":');
    await new Promise((resolve) => setTimeout(resolve, 20));
    socket.destroy();
    expect(await statusOf({})).toBe(200);
  });
});
