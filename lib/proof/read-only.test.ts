import { expect, it } from 'vitest';
import type { Exchange } from '../evidence/exchange.js';
import type { RunRecord } from '../evidence/record/record.js';
import { faults } from '../reference/faults/faults.js';
import type { ReferenceOptions } from '../reference/options.js';
import { manyAnimals } from '../reference/variants/listing-variants.js';
import { variants } from '../reference/variants/variants.js';
import { openIn, proveAgainst, turnedIn } from './prove.js';

async function readOnly(options: ReferenceOptions): Promise<{ record: RunRecord; exchanges: Exchange[] }> {
  const exchanges: Exchange[] = [];
  const record = await proveAgainst(options, {
    target: { readOnly: true },
    listener: { exchange: (exchange) => exchanges.push(exchange) },
  });
  return { record, exchanges };
}

/** Requirements that a read-only run cannot judge. */
const needWrites = [
  'AUTH-06',
  'LIST-08',
  'LIST-10',
  'LIST-14',
  'ROBUST-02',
  ...Array.from({ length: 15 }, (_row, index) => `CREATE-${String(index + 1).padStart(2, '0')}`),
];

it.each([
  [150, []],
  [12, ['LIST-03', 'LIST-05']],
])('a read-only run judges what can be seen of a store of %i, and creates nothing', async (size, more) => {
  const { record, exchanges } = await readOnly({ animals: manyAnimals(size) });
  expect(exchanges.length).toBeGreaterThan(50);
  expect(
    exchanges.filter(({ request, operation }) => request.method !== 'GET' || operation === null),
  ).toEqual([]);
  expect([record.verdict, turnedIn(record), record.leftovers]).toEqual(['partial', [], []]);
  expect(openIn(record).toSorted()).toEqual([...needWrites, ...more].toSorted());
  const left = record.requirements.filter(({ id }) => needWrites.includes(id));
  expect(
    left.filter(
      ({ verdict, reason }) => verdict !== 'not-tested' || reason?.startsWith('read-only') !== true,
    ),
  ).toEqual([]);
});

it('a read-only run asks for animals of an empty store in vain, and says so', async () => {
  const { record } = await readOnly({});
  expect(turnedIn(record)).toEqual([]);
  expect(record.requirements.find(({ id }) => id === 'GET-01')).toMatchObject({
    verdict: 'not-tested',
    reason: 'read-only, and no listing shows an animal',
  });
  // The listing alone shows whether a key is required.
  expect(record.requirements.find(({ id }) => id === 'AUTH-01')?.verdict).toBe('pass');
});

it.each([
  ['others-add-animals', []],
  ['others-remove-animals', []],
  ['others-sell-animals', []],
  ['one-fewer-than-limit', ['LIST-03', 'LIST-04']],
  ['pages-clamped-to-50', ['LIST-04']],
])('a read-only run accuses a service of its own faults alone: %s', async (name, turned) => {
  const service = [...faults, ...variants].find((one) => one.name === name);
  const { record } = await readOnly({ animals: manyAnimals(90), ...service?.options });
  expect(turnedIn(record)).toEqual(turned);
});
