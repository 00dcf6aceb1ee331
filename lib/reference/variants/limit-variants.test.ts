import { describe, expect, it } from 'vitest';
import { exhaust } from '../faults/limits/limit-fault.js';
import { send } from '../faults/wire.js';
import { combineOptions } from '../options.js';
import { serveReference } from '../serve.js';
import { limitConditions } from './limit-conditions.js';
import { limitVariants } from './limit-variants.js';

/** Twenty seconds into a minute. */
const begin = 1_790_000_000_000 - (1_790_000_000_000 % 60_000) + 20_000;
const plan = { perMinute: 60, perDay: 600 };

describe('each limiter that conforms', () => {
  it.each(limitVariants.map((variant) => [variant.name, variant] as const))(
    '%s admits the limit, rejects what is over it, and admits again after Retry-After',
    async (_name, { options }) => {
      // Goes on when it is looked at: how long requests take is the machine's doing.
      let at = begin;
      const now = (): number => (at += 1);
      const key = 'pets_looked_at_Wq8ZrN4x';
      const service = await serveReference(combineOptions(options, { keys: [{ key, ...plan }], now }));
      const target = {
        baseUrl: service.baseUrl,
        key,
        otherKey: key,
        ...plan,
        wait: async () => Promise.resolve(),
      };
      try {
        const { admitted, last } = await exhaust(target, { most: 2 * plan.perMinute });
        // A bucket refills while the requests are sent.
        expect(admitted).toBeGreaterThanOrEqual(plan.perMinute);
        expect(admitted).toBeLessThanOrEqual(plan.perMinute + 4);
        expect(last.status).toBe(429);
        const retryAfter = last.header('retry-after') ?? '';
        const seconds = /^\d+$/.test(retryAfter)
          ? Number(retryAfter)
          : (Date.parse(retryAfter) - now()) / 1_000;
        at += seconds * 1_000;
        expect((await send(target)).status).toBe(200);
      } finally {
        await service.close();
      }
    },
  );
});

describe('the limiters that conform, together', () => {
  it('have names of their own', () => {
    const names = [...limitVariants, ...limitConditions].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('are at least 40', () => {
    expect(limitVariants.length).toBeGreaterThanOrEqual(40);
  });
});

describe('each condition under which a limiter shows less of itself', () => {
  it.each(limitConditions.map((condition) => [condition.name, condition] as const))(
    '%s leaves the service able to answer',
    async (_name, { options }) => {
      const service = await serveReference(options);
      try {
        const { status } = await send({ baseUrl: service.baseUrl, key: service.keys[0]?.key ?? '' });
        expect(status).toBe(200);
      } finally {
        await service.close();
      }
    },
  );
});
