import { describe, expect, it } from 'vitest';
import { combinedCases, habitCases, pairCases } from './combinations.js';
import { differences, prove } from './matrix.js';

describe('two faults that have nothing to do with each other', () => {
  const sample = pairCases(1, 6);

  it.each(sample.map((one) => [one.name, one] as const))('have two causes: %s', async (_name, one) => {
    expect(differences(await prove(one))).toEqual([]);
  });
});

describe('a conforming service with several habits', () => {
  it.each(habitCases(1, 5).map((one) => [one.name, one] as const))(
    'turns nothing: %s',
    async (_name, one) => {
      expect(differences(await prove(one))).toEqual([]);
    },
  );
});

it('combinations are drawn by the seed', () => {
  const names = (seed: number): string[] => combinedCases(seed, 5).map(({ name }) => name);
  expect(names(1)).toEqual(names(1));
  expect(names(1)).not.toEqual(names(2));
});
