import { expect, it } from 'vitest';
import type { Exchange } from '../evidence/exchange.js';
import type { AlgorithmName } from '../reference/limiter/algorithms.js';
import { combineOptions } from '../reference/options.js';
import { variants } from '../reference/variants/variants.js';
import { plans } from '../specification/plan.js';
import { openIn, proveAgainst, turnedIn } from './prove.js';

/** Each algorithm, with habits that change what a client is told of it. */
const habitsOf: ReadonlyArray<readonly [AlgorithmName, ...string[]]> = [
  ['fixed-window-aligned', 'key-shared-with-others'],
  ['sliding-log', 'clock-90-s-ahead', 'retry-after-as-a-date', '429-in-plain-text', 'headers-show-the-day'],
  ['sliding-counter', 'no-date', 'retry-after-constant', 'guests-have-20-a-minute', 'reset-rounded-down'],
  ['token-bucket', 'token-bucket-of-a-sixth', 'headers-show-the-tighter-limit', '429-counted'],
];

it.each(habitsOf.map((row) => [row.join(' + '), row] as const))(
  'a whole run on a Free key waits, and no verdict rests on a 429: %s',
  async (_name, [algorithm, ...habits]) => {
    const exchanges: Exchange[] = [];
    const chosen = variants.filter(({ name }) => habits.includes(name));
    expect(chosen.length).toBe(habits.length);
    const record = await proveAgainst(
      combineOptions({ limiter: { algorithm } }, ...chosen.map(({ options }) => options)),
      {
        target: { plan: plans.free },
        listener: { exchange: (exchange) => exchanges.push(exchange) },
      },
    );
    expect(record.run.stopped).toBeUndefined();
    expect(record.requests.waitedMs).toBeGreaterThan(100_000);
    expect([turnedIn(record), openIn(record)]).toEqual([[], []]);

    const repeated = new Set(exchanges.map(({ repeats }) => repeats));
    const limited = exchanges.filter(({ response }) => response?.status === 429);
    expect(limited.filter(({ id }) => !repeated.has(id))).toEqual([]);
    const shown = record.requirements
      .filter(({ id }) => id !== 'ERR-05')
      .flatMap(({ observations = [] }) => observations.flatMap((one) => one.exchanges));
    expect(shown.filter((id) => limited.some((one) => one.id === id))).toEqual([]);
    // If others use the key, the ten requests in flight may be rejected together in each of a dozen windows.
    const isShared = habits.includes('key-shared-with-others');
    expect(limited.length > 0 || !isShared).toBe(true);
    expect(limited.length).toBeLessThan(isShared ? 12 * 10 : 60);
  },
);
