import { scaleLinear, scaleLog } from 'd3-scale';
import { decodeFromCompressedBase64, JsHistogram } from 'hdr-histogram-js';
import type { JSX } from 'preact';
import type { Latency, PlanMeasurement } from '../../../lib/record/record.js';
import { count, duration, integer } from '../../text/quantity.js';
import { ChartFrame, plotOf, rounded, smallBox } from './chart-frame.js';

/** How many responses took how long, in milliseconds, ascending. */
export type LatencyCounts = readonly (readonly [milliseconds: number, count: number])[];

/** Histograms count in microseconds, and a logarithmic axis has no zero. */
const shortest = 0.01;
const bars = 36;
const plot = plotOf(smallBox);

/** The recorded values of an HDR histogram (V2, compressed, base64, microseconds); none if it can't be read. */
function countsOf(encoded: string): LatencyCounts {
  try {
    const histogram = decodeFromCompressedBase64(encoded);
    if (!(histogram instanceof JsHistogram)) return [];
    const counts: [number, number][] = [];
    const values = histogram.recordedValuesIterator;
    values.reset();
    while (values.hasNext()) {
      const { valueIteratedTo, countAddedInThisIterationStep } = values.next();
      counts.push([Math.max(shortest, valueIteratedTo / 1_000), countAddedInThisIterationStep]);
    }
    return counts;
  } catch {
    return [];
  }
}

/** Every latency of a phase: from its histogram, or from its series if it has none. */
export function latencyCounts({ latency, series }: PlanMeasurement['phases'][number]): LatencyCounts {
  const counts = latency?.histogram === undefined ? [] : countsOf(latency.histogram);
  if (counts.length > 0) return counts;
  return series
    .flatMap(({ latencyMs }) => latencyMs ?? [])
    .map((milliseconds) => [Math.max(shortest, milliseconds), 1] as const)
    .toSorted(([one], [other]) => one - other);
}

interface LatencyChartProperties {
  readonly latency: Latency;
  readonly counts: LatencyCounts;
  readonly id: string;
}

/** How long the responses took: bars over a logarithmic axis, with the median and the 99th percentile. */
export function LatencyChart({ latency, counts, id }: LatencyChartProperties): JSX.Element {
  const [least, most] = [counts[0]?.[0] ?? 1, counts.at(-1)?.[0] ?? 1];
  // Room at both ends, so that a single value does not fall on an edge.
  const x = scaleLog([least / 1.25, most * 1.25], [plot.left, plot.right]).clamp(true);
  const width = (plot.right - plot.left) / bars;
  const heights = Array.from({ length: bars }, () => 0);
  for (const [milliseconds, responses] of counts) {
    const bar = Math.min(bars - 1, Math.floor((x(milliseconds) - plot.left) / width));
    heights[bar] = (heights[bar] ?? 0) + responses;
  }
  const y = scaleLinear([0, Math.max(1, ...heights) * 1.15], [plot.bottom, plot.top]);
  const total = counts.reduce((sum, [, responses]) => sum + responses, 0);
  const ticks = x.ticks(8).filter((tick) => /^[0.]*[125]/.test(String(tick)));
  const spare = Math.ceil(ticks.length / 6);
  return (
    <ChartFrame
      id={id}
      title="Responses by latency"
      description={`${count(total, 'response')}: p50 ${duration(latency.p50)}, p99 ${duration(latency.p99)}, from ${duration(least)} to ${duration(most)}.`}
      x={{
        scale: x,
        ticks: ticks.filter((_, index) => index % spare === 0),
        text: (value) => String(Number(value.toPrecision(3))),
        name: 'milliseconds, logarithmic',
      }}
      y={{
        scale: y,
        ticks: y.ticks(4).filter(Number.isInteger),
        text: integer,
        name: 'Responses by latency',
      }}
    >
      <g class="bars">
        {heights.map((height, index) => (
          <rect
            x={rounded(plot.left + index * width + 0.5)}
            y={rounded(y(height))}
            width={rounded(width - 1)}
            height={rounded(plot.bottom - y(height))}
          />
        ))}
      </g>
      {(['p99', 'p50'] as const).map((name, row) => (
        <g class="limit">
          <path d={`M${rounded(x(latency[name]))} ${plot.top}V${plot.bottom}`} />
          <text x={rounded(x(latency[name]))} y={plot.top - 14 + 11 * row} text-anchor="end">
            {name}
          </text>
        </g>
      ))}
    </ChartFrame>
  );
}
