import { expect, test } from 'vitest';
import type { Latency } from '../evidence/record/measurements.js';
import { Latencies } from './load-counter.js';

function latencyOf(milliseconds: readonly number[]): Latency | undefined {
  const latencies = new Latencies();
  for (const one of milliseconds) latencies.add(one);
  return latencies.latency;
}

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

test('a latency is told to four digits', () => {
  expect(latencyOf([1_234.567, 2_345.678])).toMatchObject({ min: 1_235, max: 2_346, mean: 1_790.123 });
  expect(latencyOf([])).toBeUndefined();
});
