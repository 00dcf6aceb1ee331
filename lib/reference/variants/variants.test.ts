import { describe, expect, it, vi } from 'vitest';
import { plans } from '../../specification/plan.js';
import { create, created, field, listed, send } from '../faults/wire.js';
import { removalTime } from '../operations/deprecation.js';
import { serveReference } from '../serve.js';
import { variants } from './variants.js';
import type { Variant } from './variant.js';

const key = {
  key: 'pets_test_Wq8ZrN4xJm2K',
  perMinute: plans.business.perMinute,
  perDay: plans.business.perDay,
};

/** What holds of every variant, by a few direct looks: enough to see that none is broken outright. */
async function livesThrough({ options }: Variant): Promise<void> {
  const service = await serveReference({ ...options, keys: [key] });
  const target = { baseUrl: service.baseUrl, key: key.key };
  try {
    // If there are animals, the newest has a known category.
    const categoryId = service.animals().at(-1)?.categoryId ?? 1n;
    const body = `{"name":"Zoë 😀 \\"Rex\\" a/b\\\\c","categoryId":${categoryId},"status":"sold"}`;
    const pet = await created(target, body);
    expect(pet.status).toBe(201);
    expect(field(pet.json(), 'name')).toBe('Zoë 😀 "Rex" a/b\\c');
    expect(service.animals().at(-1)).toMatchObject({ categoryId, status: 'sold' });

    const id = service.animals().at(-1)?.id;
    // Some show an animal a moment after its creation.
    const got = await vi
      .waitUntil(async () => {
        const response = await send(target, { path: `/pets/${String(id)}` });
        return response.status === 404 ? undefined : response;
      })
      .catch(() => send(target, { path: `/pets/${String(id)}` }));
    expect(got.status).toBe((options.now?.() ?? 0) >= removalTime ? got.status : 200);

    const listing = await send(target, { path: '/pets?limit=3' });
    expect(listing.status).toBe(200);
    expect((await listed(target, '?limit=3')).length).toBeLessThanOrEqual(3);

    const guest = await send(target, { authorization: null });
    expect(guest.status).toBe(401);
    expect(field(guest.json(), 'status')).toBe(401);
    expect((await send(target, { method: 'POST', body: '{"name":"Rex"}' })).status).toBe(400);

    for (const response of [pet, got, listing, guest]) {
      expect(Number(response.header('x-ratelimit-limit'))).toBeGreaterThan(0);
      expect(Number(response.header('x-ratelimit-remaining'))).toBeGreaterThan(0);
      expect(response.header('x-ratelimit-reset')).toMatch(/^\d{10}$/);
    }
  } finally {
    await service.close();
  }
}

describe('each conforming variant', () => {
  it.each(variants.map((variant) => [variant.name, variant] as const))(
    '%s serves',
    async (_name, variant) => {
      await livesThrough(variant);
    },
  );
});

describe('the conforming variants together', () => {
  it('have names of their own', () => {
    expect(new Set(variants.map(({ name }) => name)).size).toBe(variants.length);
  });

  it('are at least 30', () => {
    expect(variants.length).toBeGreaterThanOrEqual(30);
  });
});

/** The one variant of this name. */
function variantOf(name: string): Variant {
  const variant = variants.find((candidate) => candidate.name === name);
  if (!variant) throw new Error(`no variant ${name}`);
  return variant;
}

async function on<Value>(
  name: string,
  work: (target: { baseUrl: string; key: string }) => Promise<Value>,
): Promise<Value> {
  const service = await serveReference({ ...variantOf(name).options, keys: [key] });
  try {
    return await work({ baseUrl: service.baseUrl, key: key.key });
  } finally {
    await service.close();
  }
}

describe('a variant differs from the reference in what it says', () => {
  it('limit-clamped answers a limit of 101', async () => {
    expect((await on('limit-clamped', (target) => send(target, { path: '/pets?limit=101' }))).status).toBe(
      200,
    );
  });

  it('unknown-status-matches-nothing gives an empty list', async () => {
    const listing = await on('unknown-status-matches-nothing', async (target) => {
      await create(target);
      return (await send(target, { path: '/pets?status=sleeping' })).text;
    });
    expect(listing).toBe('[]');
  });

  it('listing-lags leaves a new animal out at first', async () => {
    const listing = await on('listing-lags', async (target) => {
      await create(target);
      return listed(target);
    });
    expect(listing).toEqual([]);
  });

  it('random-ids gives long identifiers', async () => {
    expect((await on('random-ids', (target) => create(target))).id.length).toBeGreaterThan(12);
  });

  it('unknown-fields-kept shows them', async () => {
    const { text } = await on('unknown-fields-kept', (target) => create(target, { colour: 'black' }));
    expect(text).toContain('"colour":"black"');
  });

  it('ids-read-leniently finds 1 under 01', async () => {
    const { status } = await on('ids-read-leniently', async (target) => {
      await create(target);
      return send(target, { path: '/pets/01' });
    });
    expect(status).toBe(200);
  });

  it('chunked sends no length', async () => {
    const { header } = await on('chunked', (target) => send(target));
    expect([header('content-length'), header('transfer-encoding')]).toEqual([undefined, 'chunked']);
  });

  it('indented-json has line breaks, and escaped-json nothing but ASCII', async () => {
    const indented = await on('indented-json', (target) => create(target));
    expect(indented.text).toMatch(/^\n\{\n\t/);
    const escaped = await on('escaped-json', (target) => create(target, { name: 'Zoë' }));
    expect(escaped.text).toContain('Zo\\u00eb');
  });

  it('connection-closed says so', async () => {
    expect((await on('connection-closed', (target) => send(target))).header('connection')).toBe('close');
  });

  it('no-date says no date', async () => {
    expect((await on('no-date', (target) => send(target))).header('date')).toBeUndefined();
  });

  it('headers-show-the-day shows the limit of the day', async () => {
    const { header } = await on('headers-show-the-day', (target) => send(target));
    expect(header('x-ratelimit-limit')).toBe(String(key.perDay));
  });
});
