import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { smallestCounterexample } from './search.js';

const numbers = fc.integer({ min: 0, max: 1_000 });

/** Searches for a number that breaks a law, and keeps which were asked for. */
async function search(
  law: (value: number) => boolean,
  options: Partial<Parameters<typeof smallestCounterexample<number>>[1]> = {},
) {
  const asked: number[] = [];
  const found = await smallestCounterexample(
    numbers,
    { seed: 1, drawn: 20, examples: [], shrinks: () => 100, ...options },
    async (value) => {
      asked.push(value);
      return law(value);
    },
  );
  return { found, asked };
}

describe('a search', () => {
  it('finds nothing if the property holds, and checks no value twice', async () => {
    const { found, asked } = await search(() => true, { examples: [7, 7, 8] });
    expect(found).toBeUndefined();
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked.slice(0, 2)).toEqual([7, 8]);
  });

  it('makes a counterexample small', async () => {
    const { found, asked } = await search((value) => value < 100);
    expect(found).toBe(100);
    expect(new Set(asked).size).toBe(asked.length);
  });

  it('finds one among the examples alone', async () => {
    const { found } = await search((value) => value !== 999, { drawn: 0, examples: [1, 999] });
    expect(found).toBe(999);
  });

  it.each([0, 3])('asks for no more than its budget (%i), and keeps what it has', async (budget) => {
    const { found, asked } = await search((value) => value < 100, { shrinks: () => budget });
    expect(asked.length).toBeLessThanOrEqual(20 + budget);
    expect(asked.filter((value) => value >= 100)).toContain(found);
  });

  it('draws the same for the same seed', async () => {
    expect((await search(() => true)).asked).toEqual((await search(() => true)).asked);
    expect((await search(() => true, { seed: 2 })).asked).not.toEqual((await search(() => true)).asked);
  });

  it('asks for all drawn values at once', async () => {
    let underWay = 0;
    let most = 0;
    await smallestCounterexample(
      numbers,
      { seed: 1, drawn: 10, examples: [], shrinks: () => 0 },
      async () => {
        underWay += 1;
        most = Math.max(most, underWay);
        await Promise.resolve();
        underWay -= 1;
        return true;
      },
    );
    expect(most).toBeGreaterThan(5);
  });
});
