import { scaleLinear, scaleLog } from 'd3-scale';
import type { JSX } from 'preact';
import type { PlanMeasurement } from '../../../lib/record/record.js';
import { count, counted, duration } from '../../text/quantity.js';
import { Frame, plot, rounded } from './frame.js';
import { latencyAt, type LatencyCounts } from './latency-distribution.js';

const bars = 36;

interface LatencyChartProperties {
  readonly measurement: PlanMeasurement;
  readonly counts: LatencyCounts;
  readonly id: string;
}

/** A scale that leaves room at both ends, so that a single value does not fall on an edge. */
function latencyScale(counts: LatencyCounts) {
  const least = counts[0]?.milliseconds ?? 1;
  const most = counts.at(-1)?.milliseconds ?? 1;
  return scaleLog([least / 1.25, most * 1.25], [plot.left, plot.right]);
}

/** One, two and five of each power of ten: what fits without the labels touching. */
function latencyTicks(scale: ReturnType<typeof latencyScale>): number[] {
  const all = scale.ticks(8).filter((tick) => /^[0.]*[125]/.test(String(tick)));
  const spare = Math.ceil(all.length / 6);
  return all.filter((_, index) => index % spare === 0);
}

/** The median's label stands left of its line; the other's right, where there is room. */
function leftOfLine(index: number, at: number): boolean {
  return index === 0 || at > plot.right - 24;
}

/** How long the answers took: bars over a logarithmic axis, with the median and the 99th percentile. */
export function LatencyChart({ measurement, counts, id }: LatencyChartProperties): JSX.Element {
  const x = latencyScale(counts);
  const width = (plot.right - plot.left) / bars;
  const heights = Array.from({ length: bars }, () => 0);
  for (const each of counts) {
    const bar = Math.min(bars - 1, Math.max(0, Math.floor((x(each.milliseconds) - plot.left) / width)));
    heights[bar] = (heights[bar] ?? 0) + each.count;
  }
  const y = scaleLinear([0, Math.max(1, ...heights) * 1.15], [plot.bottom, plot.top]);
  const total = counts.reduce((sum, each) => sum + each.count, 0);
  const marks = [
    { name: 'p50', at: latencyAt(counts, 0.5) },
    { name: 'p99', at: latencyAt(counts, 0.99) },
  ].flatMap(({ name, at }) => (at === undefined ? [] : [{ name, at }]));
  return (
    <Frame
      id={id}
      title={`Latency, ${measurement.plan}`}
      description={
        total === 0
          ? 'No latency was recorded.'
          : `${counted(total, 'answer')}: ${marks.map(({ name, at }) => `${name} ${duration(at)}`).join(', ')}, from ${duration(counts[0]?.milliseconds ?? 0)} to ${duration(counts.at(-1)?.milliseconds ?? 0)}.`
      }
      x={x}
      xTicks={latencyTicks(x)}
      xText={(value) => String(Number(value.toPrecision(3)))}
      xName="milliseconds, logarithmic"
      y={y}
      yTicks={y.ticks(4).filter(Number.isInteger)}
      yText={count}
      yName="Answers by latency"
    >
      <g class="bars">
        {heights.map((height, index) =>
          height > 0 ? (
            <rect
              x={rounded(plot.left + index * width + 0.5)}
              y={rounded(y(height))}
              width={rounded(width - 1)}
              height={rounded(plot.bottom - y(height))}
            />
          ) : null,
        )}
      </g>
      {marks.map(({ name, at }, index) => (
        <g class="limit">
          <path d={`M${rounded(x(at))} ${plot.top}V${plot.bottom}`} />
          <text
            x={rounded(x(at)) + (leftOfLine(index, x(at)) ? -4 : 4)}
            y={plot.top + 9}
            text-anchor={leftOfLine(index, x(at)) ? 'end' : 'start'}
          >
            {name}
          </text>
        </g>
      ))}
    </Frame>
  );
}
