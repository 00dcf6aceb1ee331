import { expect, test } from 'vitest';
import { latencyOf } from './latency.js';

test('percentiles are those of the nearest rank', () => {
  const milliseconds = Array.from({ length: 1_000 }, (_, index) => 1_000 - index);
  expect(latencyOf(milliseconds)).toEqual({
    min: 1,
    p50: 500,
    p90: 900,
    p99: 990,
    p999: 999,
    max: 1_000,
    mean: 500.5,
  });
  expect(latencyOf([0.25])).toMatchObject({ min: 0.25, p50: 0.25, p999: 0.25, max: 0.25 });
});
