import { expect, it } from 'vitest';
import { combinedCases } from './combinations.js';
import { differences, prove } from './matrix.js';

// Sixty of each are tried by `npm run proof -- --parts=combinations`.
it.each(combinedCases(1, 3).map((one) => [one.name, one] as const))(
  'unrelated faults have two causes, and several habits turn nothing: %s',
  async (_name, one) => {
    expect(differences(await prove(one))).toEqual([]);
  },
);

it('combinations are drawn by the seed', () => {
  const names = (seed: number): string[] => combinedCases(seed, 5).map(({ name }) => name);
  expect(names(1)).toEqual(names(1));
  expect(names(1)).not.toEqual(names(2));
});
