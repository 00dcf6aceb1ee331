import { expect, it } from 'vitest';
import { judgeRandomLimiter, type RandomCase } from './random-limiters.js';

/** Fixed seeds. `npm run proof -- --parts=random-limiters --sample=1000 --seed=S` draws others. */
const seeds = Array.from({ length: 10 }, (_unused, index) => 4_000 + index);
/** So many of them are accused, which must not become more. */
const mostAccused = 1;

it('few of the conforming limiters that are drawn at random are accused', async () => {
  const accused: RandomCase[] = [];
  for (const seed of seeds) {
    const judged = await judgeRandomLimiter(seed);
    if (judged.accusations.length > 0) accused.push(judged);
  }
  expect(accused.slice(mostAccused)).toEqual([]);
});
