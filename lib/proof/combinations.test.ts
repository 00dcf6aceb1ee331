import { expect, it } from 'vitest';
import { faults } from '../reference/faults/faults.js';
import { combineOptions, type ReferenceOptions } from '../reference/options.js';
import { parts } from './cases.js';
import { differences, prove } from './matrix.js';
import { proveAgainst } from './prove.js';

// Sixty of each are tried by `npm run proof -- --parts=combinations`.
it.each(parts.combinations(1, 3).map((one) => [one.name, one] as const))(
  'unrelated faults have two causes, and several habits turn nothing: %s',
  async (_name, one) => {
    expect(differences(await prove(one))).toEqual([]);
  },
);

it('a listing that is open to guests shows, though a listing of the empty store was no control', async () => {
  const named = (wanted: string): ReferenceOptions =>
    faults.find(({ name }) => name === wanted)?.options ?? {};
  const options = combineOptions(named('empty-listing-is-404'), named('listing-open-to-guests'));
  const { requirements } = await proveAgainst(options, { settings: { profile: 'standard' } });
  const failed = requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  expect(failed).toEqual(['AUTH-01', 'LIST-01', 'ROBUST-01']);
});

it('combinations are drawn by the seed', () => {
  const names = (seed: number): string[] => parts.combinations(seed, 5).map(({ name }) => name);
  expect(names(1)).toEqual(names(1));
  expect(names(1)).not.toEqual(names(2));
});
