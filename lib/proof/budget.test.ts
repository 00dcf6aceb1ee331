import { expect, it } from 'vitest';
import { manyAnimals } from '../reference/variants/listing-variants.js';
import type { ReferenceOptions } from '../reference/options.js';
import { variants } from '../reference/variants/variants.js';
import { plans } from '../specification/plan.js';
import type { RunRecord } from '../evidence/record/record.js';
import { catalogue, classOf } from '../specification/catalogue.js';
import { proveAgainst, turnedIn } from './prove.js';

/** The functional MUSTs that do not pass, with the verdict of each. */
function notPassed({ requirements }: RunRecord): string[] {
  const ids = catalogue.filter(({ id, level }) => classOf(id) === 'functional' && level === 'MUST');
  return ids
    .map(({ id }) => `${id} ${requirements.find((row) => row.id === id)?.verdict}`)
    .filter((text) => !text.endsWith(' pass'));
}

/** A quick run on the Free plan, which keeps within its one minute. */
async function quickly(options: ReferenceOptions, seed = 1): Promise<string[]> {
  const settings = { profile: 'quick', seed } as const;
  const record = await proveAgainst(options, { settings, target: { plan: plans.free } });
  expect(record.requests.sent).toBeLessThanOrEqual(plans.free.perMinute);
  expect(record.requests.waitedMs).toBe(0);
  return notPassed(record);
}

it.each([1, 2])(
  'quick judges every MUST but LIST-05 of an empty store within a minute (seed %i)',
  async (seed) => {
    expect(await quickly({}, seed)).toEqual(['LIST-05 not-tested']);
  },
);

it.each([
  [60, ['LIST-05 not-tested']],
  [101, []],
])('quick judges LIST-05 of a store of %i if it can', async (size, open) => {
  expect(await quickly({ animals: manyAnimals(size) })).toEqual(open);
});

it.each(['body-id-refused', 'unknown-fields-refused', 'oldest-first', 'filter-lags'])(
  'a habit that costs requests keeps quick within the minute: %s',
  async (name) => {
    const variant = variants.find((one) => one.name === name);
    expect(await quickly(variant?.options ?? {})).toEqual(['LIST-05 not-tested']);
  },
);

it('standard judges everything in at most 300 requests', async () => {
  const record = await proveAgainst({});
  expect([record.verdict, notPassed(record)]).toEqual(['conformant', []]);
  expect(record.requests.sent).toBeLessThanOrEqual(300);
});

it.each([0, 7, 70])(
  'a budget of %i requests is kept to the last one, and is the reason for what is open',
  async (most) => {
    const record = await proveAgainst({}, { settings: { maxRequests: most } });
    expect([record.requests.sent, record.verdict, turnedIn(record)]).toEqual([most, 'incomplete', []]);
    const left = record.requirements.filter(
      ({ verdict, selected }) => verdict === 'not-tested' && selected === true,
    );
    expect(left.length).toBeGreaterThan(0);
    expect(left.filter(({ reason }) => reason?.includes(String(most)) !== true)).toEqual([]);
    // No pass rests on a part of the run.
    expect(record.requirements.find(({ id }) => id === 'ROBUST-01')?.verdict).not.toBe('pass');
  },
);
