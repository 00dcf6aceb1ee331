import { describe, expect, it } from 'vitest';
import { pairCases } from './fault-pairs.js';
import { differences, prove } from './matrix.js';

describe('two faults that have nothing to do with each other', () => {
  const sample = pairCases(1, 12);

  it.each(sample.map((one) => [one.name, one] as const))('have two causes: %s', async (_name, one) => {
    expect(differences(await prove(one))).toEqual([]);
  });

  it('are drawn by the seed', () => {
    const names = (seed: number): string[] => pairCases(seed, 5).map(({ name }) => name);
    expect(names(1)).toEqual(names(1));
    expect(names(1)).not.toEqual(names(2));
  });
});
