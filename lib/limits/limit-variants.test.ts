import { describe, expect, it } from 'vitest';
import { limitVariants, type LimitVariant } from '../reference/variants/limit-variants.js';
import { rateVariants } from '../reference/variants/rate-variants.js';
import { measureReference, turned } from './testing/against-reference.js';

/** Variants of the functional rows that miss one of the limits: a constant wait (LIMIT-06), a small burst (LIMIT-01). */
const alsoFaults = new Set(['retry-after-constant', 'token-bucket-of-a-sixth']);
/** Others on the key may leave nothing to be concluded. */
const mayStayOpen = new Set(['key-shared-with-others']);
/** A bucket whose clock gives a second's tokens at once is accused of a burst too large, now and then. */
const accusedAtTimes = new Set(['token-bucket-by-whole-seconds']);
const all: readonly LimitVariant[] = [
  ...limitVariants.filter(({ name }) => !accusedAtTimes.has(name)),
  ...rateVariants.filter(({ name }) => !alsoFaults.has(name)),
];

/** Another place within the minute for each variant and each run of the tests. */
const anyMoment = (): number => 1_790_000_000_000 + Math.floor(Math.random() * 600_000);

describe('each conforming limiter', () => {
  it.each(all.map((variant) => [variant.name, variant] as const))(
    '%s is not accused',
    async (name, variant) => {
      const begin = anyMoment();
      const run = await measureReference(variant.options, {
        begin,
        perDay: 100_000,
        ahead: variant.ahead ?? 0,
      });
      expect(turned(run), `begun at ${begin}`).toEqual([]);
      expect(run.stopped).toBeUndefined();
      if (mayStayOpen.has(name)) return;
      const open = run.measurement.requirements.filter(({ verdict }) => verdict === 'inconclusive');
      expect(open.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
    },
  );

  it.each([
    ['fixed-window-aligned', 'fixed window, aligned to the clock'],
    ['fixed-window-from-first-request', 'fixed window, from the first request'],
    ['sliding-log', 'sliding log'],
    ['sliding-counter', 'sliding counter'],
    ['token-bucket', 'token bucket'],
  ] as const)('%s is named, and its plan may be any', async (algorithm, name) => {
    const figures = {
      begin: 1_790_000_000_000 - (1_790_000_000_000 % 60_000) + 33_000,
      perMinute: 97,
      perDay: 9_700,
    };
    const run = await measureReference({ limiter: { algorithm } }, figures);
    expect(turned(run)).toEqual([]);
    expect(run.measurement.algorithm).toMatchObject({ name, certainty: 'certain' });
  });
});
