import { build, encodeIntoCompressedBase64 } from 'hdr-histogram-js';
import { expect, test } from 'vitest';
import { sampleMeasurement } from '../../testing/sample-measurement.js';
import { latencyCounts } from './latency-chart.js';

function countsWith(histogram: string) {
  const [phase] = sampleMeasurement().phases;
  if (!phase?.latency) throw new Error('the sample has a phase with latency');
  return latencyCounts({ ...phase, latency: { ...phase.latency, histogram } });
}

test('latencies come from the histogram, microseconds as milliseconds', () => {
  const histogram = build();
  for (const microseconds of [1_000, 1_000, 2_000, 50_000]) histogram.recordValue(microseconds);
  const counts = countsWith(encodeIntoCompressedBase64(histogram));
  expect(counts.map(([, count]) => count)).toEqual([2, 1, 1]);
  expect(counts[0]?.[0]).toBeCloseTo(1, 1);
});

test('a histogram that cannot be read leaves the series', () => {
  expect(countsWith('no histogram')).toHaveLength(62);
});
