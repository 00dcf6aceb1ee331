import { describe, expect, it } from 'vitest';
import type { Exchange } from '../http/exchange/exchange.js';
import { algorithms, type AlgorithmName } from '../reference/limiter/algorithms.js';
import type { ReferenceOptions } from '../reference/options.js';
import { variants } from '../reference/variants/variants.js';
import type { RunRecord } from '../record/record.js';
import { plans } from '../specification/plan.js';
import { openIn } from './matrix.js';
import { proveAgainst, turnedIn } from './prove.js';

interface PacedRun {
  readonly record: RunRecord;
  readonly exchanges: readonly Exchange[];
}

/** A whole run on a Free key, over five windows and a clock that skips waits. */
async function onFreeKey(options: ReferenceOptions): Promise<PacedRun> {
  const exchanges: Exchange[] = [];
  const record = await proveAgainst(options, {
    target: { plan: plans.free },
    listener: { exchange: (exchange) => exchanges.push(exchange) },
  });
  return { record, exchanges };
}

/** Everything was judged as on any other key, and no verdict rests on a 429. */
function expectUndisturbed({ record, exchanges }: PacedRun, mostRefused = 60): void {
  expect(record.run.stopped).toBeUndefined();
  expect(turnedIn(record)).toEqual([]);
  expect(openIn(record)).toEqual([]);
  const repeated = new Set(exchanges.map(({ repeats }) => repeats));
  const limited = exchanges.filter(({ response }) => response?.status === 429);
  expect(limited.filter(({ id }) => !repeated.has(id))).toEqual([]);
  const shown = record.requirements
    .filter(({ id }) => id !== 'ERR-05')
    .flatMap((row) => row.observations ?? []);
  expect(
    shown.filter(({ exchanges: ids }) => ids.some((id) => limited.some((one) => one.id === id))),
  ).toEqual([]);
  expect(limited.length).toBeLessThan(mostRefused);
}

function variantOptions(name: string): ReferenceOptions {
  const variant = variants.find((candidate) => candidate.name === name);
  if (!variant) throw new Error(`no variant ${name}`);
  return variant.options;
}

describe('a run on a Free key', () => {
  it.each(Object.keys(algorithms) as AlgorithmName[])('waits for the windows of %s', async (algorithm) => {
    const run = await onFreeKey({ limiter: { algorithm } });
    expectUndisturbed(run);
    expect(run.record.requests.waitedMs).toBeGreaterThan(100_000);
  });

  it('meets 429s if others use the key three times as much, retries, and is not disturbed', async () => {
    const run = await onFreeKey(variantOptions('key-shared-with-others'));
    expect(run.exchanges.some(({ response }) => response?.status === 429)).toBe(true);
    // In each of a dozen windows the ten requests in flight may be rejected together.
    expectUndisturbed(run, 12 * 10);
  });

  it.each([
    'token-bucket-of-a-sixth',
    'headers-show-the-day',
    'headers-show-the-tighter-limit',
    'guests-have-20-a-minute',
    '429-counted',
    '429-in-plain-text',
    'retry-after-as-a-date',
    'retry-after-constant',
    'reset-rounded-down',
    'clock-90-s-ahead',
    'clock-90-s-behind',
    'no-date',
  ])('is not disturbed by %s', async (name) => {
    expectUndisturbed(await onFreeKey(variantOptions(name)));
  });
});
