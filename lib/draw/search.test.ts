import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Draw, type SearchRoom } from './seeded.js';

const numbers = fc.integer({ min: 0, max: 1_000 });

/** Searches for a number that breaks a law, and keeps which were asked for. */
async function asked(
  law: (value: number) => boolean,
  { seed = 1, ...options }: Partial<SearchRoom<number>> & { readonly seed?: number } = {},
): Promise<number[]> {
  const values: number[] = [];
  const room = { drawn: 20, examples: [], shrinks: 100, ...options };
  await new Draw(seed, 'search').search(numbers, room, async (value) => {
    values.push(value);
    return law(value);
  });
  return values;
}

describe('a search', () => {
  it('tries the examples first, and no value twice', async () => {
    const values = await asked(() => true, { examples: [7, 7, 8] });
    expect(values.slice(0, 2)).toEqual([7, 8]);
    expect(new Set(values).size).toBe(values.length);
  });

  it('tries smaller values than one that breaks the law', async () => {
    const law = (value: number): boolean => value < 100;
    expect(await asked(law)).toContain(100);
    expect(await asked(law, { drawn: 0, examples: [1, 999] })).toContain(100);
  });

  it.each([0, 3])('asks for no more than its budget (%i)', async (shrinks) => {
    expect((await asked((value) => value < 100, { shrinks })).length).toBeLessThanOrEqual(20 + shrinks);
  });

  it('draws the same for the same seed', async () => {
    expect(await asked(() => true)).toEqual(await asked(() => true));
    expect(await asked(() => true, { seed: 2 })).not.toEqual(await asked(() => true));
  });

  it('asks for all drawn values at once', async () => {
    let underWay = 0;
    let most = 0;
    await new Draw(1, 'search').search(numbers, { drawn: 10, examples: [], shrinks: 0 }, async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await Promise.resolve();
      underWay -= 1;
      return true;
    });
    expect(most).toBeGreaterThan(5);
  });
});
