import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import type { JSX } from 'preact';
import { count } from '../../text/quantity.js';
import type { PlanChartProperties } from './admission-chart.js';
import { Frame, plot, rounded } from './frame.js';
import type { TimelinePoint } from './plan-timeline.js';
import { timeAxis } from './time-axis.js';
import { WindowEdges } from './window-edges.js';

type Told = TimelinePoint & { readonly remaining: number };

/** Of each column of the picture the first, the lowest, the highest and the last point: what an eye could tell. */
function thinned(points: readonly Told[], column: (point: Told) => number): Told[] {
  const columns = new Map<number, Told[]>();
  for (const point of points) {
    const key = Math.round(column(point));
    const same = columns.get(key);
    if (same) same.push(point);
    else columns.set(key, [point]);
  }
  return [...columns.values()].flatMap((same) => {
    const sorted = [...same].sort((one, other) => one.remaining - other.remaining);
    const told = new Set([same[0], sorted[0], sorted.at(-1), same.at(-1)]);
    return same.filter((point) => told.has(point));
  });
}

/** `X-RateLimit-Remaining` as the service announced it, answer by answer. */
export function RemainingChart({ measurement, timeline, id }: PlanChartProperties): JSX.Element {
  const axis = timeAxis(timeline);
  const told = timeline.points.flatMap((point) =>
    point.remaining === undefined ? [] : [{ ...point, remaining: point.remaining }],
  );
  const values = told.map((point) => point.remaining);
  const highest = values.reduce((most, value) => Math.max(most, value), 1);
  const lowest = values.reduce((least, value) => Math.min(least, value), 0);
  const y = scaleLinear([lowest, highest * 1.12], [plot.bottom, plot.top]);
  const shown = thinned(told, (point) => axis.x(point.seconds));
  const path = line<Told>(
    (point) => rounded(axis.x(point.seconds)),
    (point) => rounded(y(point.remaining)),
  );
  // Nothing was told between two phases: no line joins them.
  const phases = timeline.phases.map((_, index) => shown.filter(({ phase }) => phase === index));
  return (
    <Frame
      id={id}
      title={`Remaining against time, ${measurement.plan}`}
      description={
        told.length === 0
          ? 'No answer announced how many requests remain.'
          : `Announced by ${count(told.length)} answers: from ${count(told[0]?.remaining ?? 0)} at first to ${count(told.at(-1)?.remaining ?? 0)} at last, between ${count(values.reduce((least, value) => Math.min(least, value), highest))} and ${count(highest)}.`
      }
      {...axis}
      y={y}
      yTicks={y.ticks(4)}
      yText={count}
      yName="Remaining, as announced"
    >
      <WindowEdges timeline={timeline} x={axis.x} />
      <path class="line thin" d={phases.map((points) => path(points) ?? '').join('')} />
      <path
        class="dots"
        d={shown
          .map((point) => `M${rounded(axis.x(point.seconds))} ${rounded(y(point.remaining))}h0`)
          .join('')}
      />
    </Frame>
  );
}
