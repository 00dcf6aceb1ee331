import { describe, expect, it } from 'vitest';
import type { Exchange } from '../http/exchange/exchange.js';
import type { NewPet } from '../reference/operations/animal.js';
import type { RunRecord } from '../record/record.js';
import { faults } from '../reference/faults/faults.js';
import { variants } from '../reference/variants/variants.js';
import { petStatuses } from '../specification/body-schema.js';
import { openIn } from './matrix.js';
import { proveAgainst, turnedIn } from './prove.js';

function manyAnimals(size: number): NewPet[] {
  return Array.from({ length: size }, (_animal, place) => ({
    name: `Resident ${place}`,
    categoryId: 9_007_199_254_740_993n,
    status: petStatuses[place % 3] ?? 'sold',
  }));
}

async function readOnly(size: number): Promise<{ record: RunRecord; exchanges: Exchange[] }> {
  const exchanges: Exchange[] = [];
  const record = await proveAgainst(
    { animals: manyAnimals(size) },
    { target: { readOnly: true }, listener: { exchange: (exchange) => exchanges.push(exchange) } },
  );
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

describe('a read-only run', () => {
  it('sends nothing that could create or change', async () => {
    const { exchanges } = await readOnly(150);
    expect(exchanges.length).toBeGreaterThan(50);
    expect(new Set(exchanges.map(({ request }) => request.method))).toEqual(new Set(['GET']));
    expect(exchanges.filter(({ operation }) => operation === null)).toEqual([]);
  });

  it('judges what can be seen of a store of 150, and says why not of the rest', async () => {
    const { record } = await readOnly(150);
    expect(record.verdict).toBe('partial');
    expect(turnedIn(record)).toEqual([]);
    expect(openIn(record).toSorted()).toEqual(needWrites.toSorted());
    const left = record.requirements.filter(({ id }) => needWrites.includes(id));
    expect(new Set(left.map(({ verdict }) => verdict))).toEqual(new Set(['not-tested']));
    expect(left.filter(({ reason }) => reason?.startsWith('read-only') !== true)).toEqual([]);
    expect(record.leftovers).toEqual([]);
  });

  it('judges less of a store of 12, and still fails nothing', async () => {
    const { record } = await readOnly(12);
    expect(record.verdict).toBe('partial');
    expect(turnedIn(record)).toEqual([]);
    expect(openIn(record).toSorted()).toEqual([...needWrites, 'LIST-03', 'LIST-05'].toSorted());
  });

  it('asks for animals of an empty store in vain, and says so', async () => {
    const { record } = await readOnly(0);
    expect(turnedIn(record)).toEqual([]);
    expect(record.requirements.find(({ id }) => id === 'GET-01')).toMatchObject({
      verdict: 'not-tested',
      reason: 'read-only, and no listing shows an animal',
    });
    // The listing alone shows whether a key is required.
    expect(record.requirements.find(({ id }) => id === 'AUTH-01')?.verdict).toBe('pass');
  });

  it.each(['others-add-animals', 'others-remove-animals', 'others-sell-animals'])(
    'accuses nobody of what other clients do: %s',
    async (name) => {
      const variant = variants.find((one) => one.name === name);
      expect(variant).toBeDefined();
      const record = await proveAgainst(variant?.options ?? {}, { target: { readOnly: true } });
      expect(turnedIn(record)).toEqual([]);
    },
  );

  it.each(['one-fewer-than-limit', 'pages-clamped-to-50'])(
    'sees that pages of what others added are short: %s',
    async (name) => {
      const fault = faults.find((one) => one.name === name);
      expect(fault).toBeDefined();
      const options = { ...fault?.options, animals: manyAnimals(90) };
      const record = await proveAgainst(options, { target: { readOnly: true } });
      expect(turnedIn(record)).toContain('LIST-04');
    },
  );
});
