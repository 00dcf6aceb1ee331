import { build, encodeIntoCompressedBase64 } from 'hdr-histogram-js';
import { expect, test } from 'vitest';
import type { PlanMeasurement } from '../../../lib/record/record.js';
import { sampleMeasurement } from '../../testing/sample-measurement.js';
import { latencyAt, latencyCounts } from './latency-distribution.js';

function withHistogram(histogram: string): PlanMeasurement {
  const measurement = sampleMeasurement();
  return {
    ...measurement,
    phases: measurement.phases.slice(0, 1).map((phase) => ({
      ...phase,
      latency: { min: 0, p50: 0, p90: 0, p99: 0, p999: 0, max: 0, mean: 0, histogram },
    })),
  };
}

test('latencies come from the histogram, microseconds told as milliseconds', () => {
  const histogram = build();
  for (const microseconds of [1_000, 1_000, 2_000, 50_000]) histogram.recordValue(microseconds);
  const counts = latencyCounts(withHistogram(encodeIntoCompressedBase64(histogram)));
  expect(counts.map(({ count }) => count)).toEqual([2, 1, 1]);
  expect(latencyAt(counts, 0.5)).toBeCloseTo(1, 1);
  expect(latencyAt(counts, 0.99)).toBeCloseTo(50, 0);
});

test('a histogram that can not be read leaves the series', () => {
  expect(latencyCounts(withHistogram('no histogram'))).toHaveLength(62);
});

test('no latency gives no percentile', () => {
  expect(latencyAt([], 0.5)).toBeUndefined();
});
