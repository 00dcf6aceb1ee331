import { decodeFromCompressedBase64, JsHistogram } from 'hdr-histogram-js';
import type { PlanMeasurement } from '../../../lib/record/record.js';

/** How many answers took how long, in milliseconds, ascending. */
export type LatencyCounts = readonly { readonly milliseconds: number; readonly count: number }[];

/** The shortest time told apart: histograms count in microseconds, and a logarithmic axis has no zero. */
const shortest = 0.01;

/** The recorded values of an HDR histogram (V2, compressed, base64, microseconds); none where it can't be read. */
function countsOfHistogram(encoded: string): LatencyCounts {
  try {
    const histogram = decodeFromCompressedBase64(encoded);
    if (!(histogram instanceof JsHistogram)) return [];
    const counts: { milliseconds: number; count: number }[] = [];
    const values = histogram.recordedValuesIterator;
    values.reset();
    while (values.hasNext()) {
      const { valueIteratedTo, countAddedInThisIterationStep } = values.next();
      counts.push({
        milliseconds: Math.max(shortest, valueIteratedTo / 1_000),
        count: countAddedInThisIterationStep,
      });
    }
    return counts;
  } catch {
    return [];
  }
}

/** Every latency of a plan: from each phase's histogram, or from its series where it has none. */
export function latencyCounts({ phases }: PlanMeasurement): LatencyCounts {
  return phases
    .flatMap((phase) => {
      const told = phase.latency?.histogram === undefined ? [] : countsOfHistogram(phase.latency.histogram);
      if (told.length > 0) return told;
      return phase.series.flatMap(({ latencyMs }) =>
        latencyMs === undefined ? [] : [{ milliseconds: Math.max(shortest, latencyMs), count: 1 }],
      );
    })
    .sort((one, other) => one.milliseconds - other.milliseconds);
}

/** The time within which the given share (0 to 1) of the answers came; `undefined` without any. */
export function latencyAt(counts: LatencyCounts, share: number): number | undefined {
  const total = counts.reduce((sum, each) => sum + each.count, 0);
  let seen = 0;
  for (const { milliseconds, count } of counts) {
    seen += count;
    if (seen >= total * share) return milliseconds;
  }
  return undefined;
}
